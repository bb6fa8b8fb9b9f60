import { hasUnsavedInput } from './unsaved-input.ts'

/** The address of the tab: path, query and hash. */
export type Address = string

/** Navigates between addresses below one base, without loading pages. */
export interface Router {
  readonly base: string
  readonly getAddress: () => Address
  readonly subscribe: (listener: () => void) => () => void
  push(address: Address): void
  replace(address: Address): void
  /**
   * Asks before the browser's back and forward buttons leave; links ask where they are clicked.
   *
   * @returns A function that removes the guard.
   */
  guard(mayLeave: () => boolean): () => void
  /**
   * Follows links and the browser's back and forward buttons.
   *
   * @param turned Called when the user has navigated to another address.
   * @returns A function that stops it.
   */
  start(turned?: () => void): () => void
}

export interface RouterOptions {
  /** Path of the panel, without a slash at its end. */
  readonly base: string
  /**
   * Returns `true` if the page is outdated, so that the next navigation reloads it. Default: never.
   */
  readonly isOutdated?: () => boolean
}

/** Creates a router for the addresses below a base. */
export function createRouter({ base, isOutdated = () => false }: RouterOptions): Router {
  const listeners = new Set<() => void>()
  const guards = new Set<() => boolean>()
  // The browser has changed the address before it fires the event.
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
      // A reload would lose what a guard protects.
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

/** Returns the panel's address that a click leads to; `null` if the router does not handle it. */
function pathOfLink(router: Router, event: MouseEvent): Address | null {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (event.defaultPrevented || !isPlain || event.altKey || !(event.target instanceof Element))
    return null
  const link = event.target.closest('a')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  return returnPath(link.href, router.base)
}

/** Returns an address below the base as path, query and hash; `null` for any other. */
export function returnPath(address: string, base: string): Address | null {
  const onSite = addressOnSite(address)
  return onSite !== null && isBelow(onSite, base) ? onSite : null
}

/** Returns whether an address is a page of the panel. */
export function isBelow(address: Address, base: string): boolean {
  const { pathname } = new URL(address, location.origin)
  return pathname === base || pathname.startsWith(`${base}/`)
}

/**
 * Returns an address of this site as path, query and hash; `null` for any other, to prevent open
 * redirects. A path that begins with two slashes would be read as a host.
 */
export function addressOnSite(address: string): Address | null {
  if (!URL.canParse(address, location.origin)) return null
  const { origin, pathname, search, hash } = new URL(address, location.origin)
  const isOnSite = origin === location.origin && !pathname.startsWith('//')
  return isOnSite ? pathname + search + hash : null
}
