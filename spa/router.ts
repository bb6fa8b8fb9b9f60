/** The address of the tab: path, query and hash. */
export type Address = string

/** The addresses below one base, without loading pages. */
export interface Router {
  readonly base: string
  readonly getAddress: () => Address
  readonly subscribe: (listener: () => void) => () => void
  push(address: Address): void
  replace(address: Address): void
  /**
   * Asks before the browser's own buttons lead away; links are asked about where they are clicked.
   *
   * @returns how to stop.
   */
  guard(mayLeave: () => boolean): () => void
  /**
   * Follows links and the browser's own buttons.
   *
   * @param turned Told when the person has turned to another address.
   * @returns how to stop.
   */
  start(turned?: () => void): () => void
}

/** @param base Path of the panel, without a slash at its end. */
export function createRouter(base: string): Router {
  const listeners = new Set<() => void>()
  const guards = new Set<() => boolean>()
  // The browser has turned before it says so.
  let shown = addressNow()
  const tell = () => {
    shown = addressNow()
    for (const listener of listeners) listener()
  }
  const router: Router = {
    base,
    getAddress: addressNow,
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
    guard(mayLeave) {
      guards.add(mayLeave)
      return () => guards.delete(mayLeave)
    },
    start(turned) {
      const follow = (event: MouseEvent) => {
        if (followLink(router, event)) turned?.()
      }
      const turn = () => {
        if ([...guards].some((mayLeave) => !mayLeave())) {
          history.pushState(null, '', shown)
          return
        }
        tell()
        turned?.()
      }
      addEventListener('popstate', turn)
      document.addEventListener('click', follow)
      return () => {
        removeEventListener('popstate', turn)
        document.removeEventListener('click', follow)
      }
    },
  }
  return router
}

function addressNow(): Address {
  return location.pathname + location.search + location.hash
}

/** @returns whether the click has led to another address of the panel. */
function followLink(router: Router, event: MouseEvent): boolean {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (event.defaultPrevented || !isPlain || event.altKey || !(event.target instanceof Element))
    return false
  const link = event.target.closest('a')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return false
  const path = returnPath(link.href, router.base)
  if (path === null) return false
  event.preventDefault()
  if (path === router.getAddress()) return false
  router.push(path)
  return true
}

/** An address below the base as path, query and hash; `null` for anything else, so that nobody is sent away. */
export function returnPath(address: string, base: string): Address | null {
  if (!URL.canParse(address, location.origin)) return null
  const { origin, pathname, search, hash } = new URL(address, location.origin)
  const isBelow = pathname === base || pathname.startsWith(`${base}/`)
  return origin === location.origin && isBelow ? pathname + search + hash : null
}
