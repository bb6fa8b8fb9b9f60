import { useRef } from 'react'
import type { HostPage } from '../../client/client.ts'
import { Icon } from '../../react/parts/icon.tsx'
import { useText } from '../../react/session/provider.tsx'
import { withoutSlash } from '../history-router.ts'
import { usePage } from '../page.ts'
import { useFitting } from './use-fitting.ts'
import { useMenu } from './use-menu.ts'

/** Renders links to the host's own pages; those that do not fit into the row are in a menu. */
export function Navigation({ path }: { readonly path: string }) {
  const text = useText()
  const { pages } = usePage()
  const { container, button, content, close } = useMenu()
  const row = useRef<HTMLElement>(null)
  const fitting = useFitting(row, pages)
  if (pages.length === 0) return null
  return (
    <nav ref={row} className="svc-nav" aria-label={text('ui.nav')}>
      <PageLinks pages={pages} path={path} fitting={fitting} />
      <div ref={container} hidden={fitting === pages.length}>
        <button className="svc-nav-button" aria-label={text('ui.nav.menu')} {...button}>
          <Icon path="M4 7h16M4 12h16M4 17h16" size={20} />
          <span className="svc-nav-label">{text('ui.nav.menu')}</span>
        </button>
        <div className="svc-nav-menu svc-scroll" {...content}>
          <PageLinks pages={pages.slice(fitting)} path={path} onFollow={close} />
        </div>
      </div>
    </nav>
  )
}

interface PageLinksProps {
  readonly pages: readonly HostPage[]
  /** Path of the address after the base, without a slash at its end. */
  readonly path: string
  /** Number of links that are shown. Default: all. */
  readonly fitting?: number
  readonly onFollow?: () => void
}

function PageLinks({ pages, path, fitting = pages.length, onFollow }: PageLinksProps) {
  const { base } = usePage()
  return pages.map((page, index) => (
    <a
      key={page.path}
      href={base + page.path}
      lang={page.lang}
      hidden={index >= fitting}
      aria-current={withoutSlash(page.path) === path ? 'page' : undefined}
      onClick={onFollow}
    >
      {page.title}
    </a>
  ))
}
