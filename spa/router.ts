/** The address of the tab: path, query and hash. */
export type Address = string

/** The addresses below one base, without loading pages. */
export interface Router {
  readonly base: string
  readonly getAddress: () => Address
  readonly subscribe: (listener: () => void) => () => void
  push(address: Address): void
  replace(address: Address): void
  /** Follows links and the browser's own buttons. @returns how to stop. */
  start(): () => void
}

/** @param base Path of the panel, without a slash at its end. */
export function createRouter(base: string): Router {
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const router: Router = {
    base,
    getAddress: () => location.pathname + location.search + location.hash,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    push(address) {
      history.pushState(null, '', address)
      tell()
    },
    replace(address) {
      history.replaceState(null, '', address)
      tell()
    },
    start() {
      const follow = (event: MouseEvent) => followLink(router, event)
      addEventListener('popstate', tell)
      document.addEventListener('click', follow)
      return () => {
        removeEventListener('popstate', tell)
        document.removeEventListener('click', follow)
      }
    },
  }
  return router
}

function followLink(router: Router, event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (event.defaultPrevented || !isPlain || event.altKey || !(event.target instanceof Element))
    return
  const link = event.target.closest('a')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return
  const path = returnPath(link.href, router.base)
  if (path === null) return
  event.preventDefault()
  if (path !== router.getAddress()) router.push(path)
}

/** An address below the base as path, query and hash; `null` for anything else, so that nobody is sent away. */
export function returnPath(address: string, base: string): Address | null {
  if (!URL.canParse(address, location.origin)) return null
  const { origin, pathname, search, hash } = new URL(address, location.origin)
  const isBelow = pathname === base || pathname.startsWith(`${base}/`)
  return origin === location.origin && isBelow ? pathname + search + hash : null
}
