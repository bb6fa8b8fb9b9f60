import { useText } from '../../src/react/provider.tsx'

/** Renders a link to the host's help, if there is one. */
export function Help({ href }: { readonly href: string | null }) {
  const text = useText()
  if (href === null) return null
  return (
    <p className="svc-aside">
      <a href={href}>{text('ui.login.help')}</a>
    </p>
  )
}
