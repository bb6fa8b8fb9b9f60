/** Functions that run in a page, with any driver of the browser. */

/** Makes an error of the console of everything that the policy of the page forbids. */
export function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`The page's policy forbids it: ${violatedDirective} ${blockedURI}`),
  )
}

/** Removes what browsers have and Safari 16 has not. The types say that none of it is optional. */
export function removeWhatSafari16Lacks(): void {
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object
  const lacking: readonly (readonly [object, readonly string[]])[] = [
    [URL, ['canParse', 'parse']],
    [URLSearchParams.prototype, ['size']],
    [Promise, ['try', 'withResolvers']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [Array, ['fromAsync']],
    [AbortSignal, ['any']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf']],
    [iterators, ['map', 'filter', 'some', 'every', 'find', 'forEach', 'toArray']],
    [Element.prototype, ['checkVisibility']],
    [HTMLElement.prototype, ['showPopover', 'hidePopover', 'togglePopover']],
    [globalThis, ['requestIdleCallback']],
  ]
  for (const [owner, names] of lacking)
    for (const name of names) Reflect.deleteProperty(owner, name)
}

/** Returns what scripts could read later, except for the CSRF token. */
export async function kept(): Promise<Record<keyof typeof KEPT_NOTHING, unknown>> {
  return {
    localStorage: Object.entries(localStorage),
    // When a mail was asked for, and how long it was to wait: nothing of the person.
    sessionStorage: Object.entries(sessionStorage).filter(
      ([name, value]) =>
        name !== 'svc:email-sent' || !/^{"sentAt":\d+,"retryAfterSeconds":\d+}$/.test(value),
    ),
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    windowName: window.name,
    history: history.state as unknown,
    cookies: document.cookie.replace(/^XSRF-TOKEN=[^;]+$/, ''),
  }
}

export const KEPT_NOTHING = {
  localStorage: [],
  sessionStorage: [],
  databases: [],
  caches: [],
  workers: [],
  windowName: '',
  history: null,
  cookies: '',
} as const

/** Returns the element with the focus, like `h1 Welcome`. */
export function nameOfFocus(): string {
  const { activeElement: element } = document
  if (element === null) return 'nothing'
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : null
  const name = element.getAttribute('aria-label') ?? (label ?? element).textContent
  return `${element.getAttribute('role') ?? element.localName} ${name}`
}
