import type { HostPage } from '../../src/client/client.ts'
import { useText } from '../../src/react/provider.tsx'
import { usePage } from '../page.ts'

/** Renders links to the pages of the panel: the host's own, and the security page. */
export function Navigation({ path }: { readonly path: string }) {
  const text = useText()
  const { base, pages, twoFactor } = usePage()
  const links: Pick<HostPage, 'path' | 'title' | 'lang'>[] = [...pages]
  if (twoFactor === 'bound') links.push({ path: '/security', title: text('ui.security.title') })
  if (links.length === 0) return null
  return (
    <nav className="svc-nav" aria-label={text('ui.nav')}>
      {links.map((link) => (
        <a
          key={link.path}
          href={base + link.path}
          lang={link.lang}
          aria-current={link.path === path ? 'page' : undefined}
        >
          {link.title}
        </a>
      ))}
    </nav>
  )
}
