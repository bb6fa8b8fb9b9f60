import { useText } from '../../react/session/provider.tsx'

interface LinkProps {
  /** `null` renders nothing. */
  readonly href: string | null
}

/** Renders a link to the host's help. */
export function Help({ href }: LinkProps) {
  const text = useText()
  return href === null ? null : <Aside href={href}>{text('ui.login.help')}</Aside>
}

/** Renders a link to the host's page that resets a password. */
export function ForgotPassword({ href }: LinkProps) {
  const text = useText()
  return href === null ? null : <Aside href={href}>{text('ui.login.forgot')}</Aside>
}

function Aside({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <p className="svc-aside">
      <a href={href}>{children}</a>
    </p>
  )
}
