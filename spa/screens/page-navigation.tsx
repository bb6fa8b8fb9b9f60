import { Icon } from '../../src/react/icon.tsx'
import { useText } from '../../src/react/provider.tsx'
import { usePage } from '../page.ts'
import { useMenu } from './use-menu.ts'

/** Renders links to the host's own pages; on a narrow screen they are in a menu. */
export function Navigation({ path }: { readonly path: string }) {
  const text = useText()
  const { base, pages } = usePage()
  const { container, button, content, close } = useMenu()
  if (pages.length === 0) return null
  return (
    <nav className="svc-nav" aria-label={text('ui.nav')}>
      <div ref={container}>
        <button className="svc-nav-button" aria-label={text('ui.nav.menu')} {...button}>
          <Icon path="M4 7h16M4 12h16M4 17h16" size={24} />
        </button>
        <div className="svc-nav-links" {...content}>
          {pages.map((link) => (
            <a
              key={link.path}
              href={base + link.path}
              lang={link.lang}
              aria-current={link.path === path ? 'page' : undefined}
              onClick={close}
            >
              {link.title}
            </a>
          ))}
        </div>
      </div>
    </nav>
  )
}
