import { hasUnsavedInput } from './unsaved-input.ts'

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

export interface RouterOptions {
  /** Path of the panel, without a slash at its end. */
  readonly base: string
  /** Whether the page is out of date, so that a link or a browser button loads it anew. Default: never. */
  readonly isOutdated?: () => boolean
}

/** Creates a router for the addresses below a base. */
export function createRouter({ base, isOutdated = () => false }: RouterOptions): Router {
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
      // What a guard protects would be lost with the page.
      const mustReload = () => guards.size === 0 && isOutdated() && !hasUnsavedInput()
      const follow = (event: MouseEvent) => {
        const path = pathOfLink(router, event)
        // The browser follows the link itself, which loads the newer version of the page.
        if (path === null || mustReload()) return
        event.preventDefault()
        if (path === router.getAddress()) return
        router.push(path)
        turned?.()
      }
      const turn = () => {
        if ([...guards].some((mayLeave) => !mayLeave())) {
          history.pushState(null, '', shown)
          return
        }
        if (mustReload()) {
          location.reload()
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

/** Returns the address of the panel that a click leads to; `null` if it is none of the router's. */
function pathOfLink(router: Router, event: MouseEvent): Address | null {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (event.defaultPrevented || !isPlain || event.altKey || !(event.target instanceof Element))
    return null
  const link = event.target.closest('a')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  return returnPath(link.href, router.base)
}

/** An address below the base as path, query and hash; `null` for anything else, so that nobody is sent away. */
export function returnPath(address: string, base: string): Address | null {
  if (!URL.canParse(address, location.origin)) return null
  const { origin, pathname, search, hash } = new URL(address, location.origin)
  const isBelow = pathname === base || pathname.startsWith(`${base}/`)
  return origin === location.origin && isBelow ? pathname + search + hash : null
}
