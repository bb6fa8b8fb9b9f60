import { parsedUrl } from '../client/parsed-url.ts'
import { hasUnsavedInput } from '../react/parts/unsaved-input.ts'

/** The address of the tab: path, query and hash. */
export type Address = string

/** Navigates between addresses below one base, without loading pages. */
export type Router = ReturnType<typeof createRouter>

export interface RouterOptions {
  /** Path of the panel, without a slash at its end. */
  readonly base: string
  /**
   * Returns `true` if the page is outdated, so that the next navigation reloads it. Default: never.
   */
  readonly isOutdated?: () => boolean
}

/** Internal state of a router. */
interface Navigation {
  readonly base: string
  readonly isOutdated: () => boolean
  readonly listeners: Set<() => void>
  readonly guards: Set<() => boolean>
  /** Address on the screen: the browser changes its own before it fires `popstate`. */
  shown: Address
}

/** Creates a router for the addresses below a base. */
export function createRouter({ base, isOutdated = () => false }: RouterOptions) {
  const navigation: Navigation = {
    base,
    isOutdated,
    listeners: new Set(),
    guards: new Set(),
    shown: addressNow(),
  }
  const { listeners, guards } = navigation
  return {
    base,
    getAddress: addressNow,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    push: (address: Address) => push(navigation, address),
    replace(address: Address) {
      history.replaceState(null, '', address)
      publish(navigation)
    },
    /**
     * Asks before the browser's back and forward buttons leave; links ask where they are clicked.
     *
     * @returns A function that removes the guard.
     */
    guard(mayLeave: () => boolean) {
      guards.add(mayLeave)
      return () => void guards.delete(mayLeave)
    },
    /**
     * Follows links and the browser's back and forward buttons.
     *
     * @param onNavigate Called when the user has navigated to another address.
     * @returns A function that stops it.
     */
    start: (onNavigate = () => {}) => start(navigation, onNavigate),
  }
}

function start(navigation: Navigation, onNavigate: () => void): () => void {
  const onClick = (event: MouseEvent) => followLink(navigation, event, onNavigate)
  const onPopState = () => followHistory(navigation, onNavigate)
  addEventListener('popstate', onPopState)
  document.addEventListener('click', onClick)
  return () => {
    removeEventListener('popstate', onPopState)
    document.removeEventListener('click', onClick)
  }
}

function followLink(navigation: Navigation, event: MouseEvent, onNavigate: () => void): void {
  const path = pathOfLink(navigation.base, event)
  // The browser follows the link itself, which loads the newer version of the page.
  if (path === null || mustReload(navigation)) return
  event.preventDefault()
  if (path === addressNow()) return
  push(navigation, path)
  onNavigate()
}

/** Follows the browser's back and forward buttons. */
function followHistory(navigation: Navigation, onNavigate: () => void): void {
  const { guards, shown } = navigation
  if (!isSamePage(shown, addressNow()) && [...guards].some((mayLeave) => !mayLeave())) {
    history.pushState(null, '', shown)
    return
  }
  if (mustReload(navigation)) {
    location.reload()
    return
  }
  publish(navigation)
  onNavigate()
}

function push(navigation: Navigation, address: Address): void {
  history.pushState(null, '', address)
  publish(navigation)
}

/** Notifies the listeners of the address in the browser. */
function publish(navigation: Navigation): void {
  navigation.shown = addressNow()
  for (const listener of navigation.listeners) listener()
}

/** Returns `true` if an outdated page can be reloaded: a reload loses what a guard protects. */
function mustReload({ guards, isOutdated }: Navigation): boolean {
  return guards.size === 0 && isOutdated() && !hasUnsavedInput()
}

/** Returns `true` for two parts of one page. */
function isSamePage(one: string, other: string): boolean {
  return one.split('#')[0] === other.split('#')[0]
}

function addressNow(): Address {
  return location.pathname + location.search + location.hash
}

/** Returns the panel's address that a click leads to; `null` if the router does not handle it. */
function pathOfLink(base: string, event: MouseEvent): Address | null {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
  if (event.defaultPrevented || !isPlain || event.altKey || !(event.target instanceof Element))
    return null
  const link = event.target.closest('a')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null
  // The browser scrolls to a part of the page, and fires `popstate`.
  if (link.hash !== '' && isSamePage(link.href, location.href)) return null
  return returnPath(link.href, base)
}

/** Returns an address below the base as path, query and hash; `null` for any other. */
export function returnPath(address: string, base: string): Address | null {
  const onSite = addressOnSite(address)
  return onSite !== null && isBelow(onSite, base) ? onSite : null
}

/** Returns a path without a slash at its end, as users may type one. */
export function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
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
  const url = parsedUrl(address, location.origin)
  if (url === null) return null
  const { origin, pathname, search, hash } = url
  const isOnSite = origin === location.origin && !pathname.startsWith('//')
  return isOnSite ? pathname + search + hash : null
}
