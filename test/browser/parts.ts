import type { Page, Route } from 'playwright-core'

/** The files of the panel that are loaded when they are needed, and what may become of them on the way. */

/** The ways in which a file fails to arrive. */
export const failures = {
  'is not found': (route) => route.fulfill({ status: 404, json: { key: 'svc::auth.not_found' } }),
  'is a web page': (route) => route.fulfill({ contentType: 'text/html', body: '<p>Hello' }),
  'never arrives, as the browser is offline': (route) => route.abort('internetdisconnected'),
  'throws when it is evaluated': (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
  'is cut off': (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'export const Security = (' }),
} as const satisfies Record<string, (route: Route) => Promise<void>>

export type Failure = keyof typeof failures

/** Lets a file fail, whatever is appended to its address. @returns how to let it arrive. */
export async function failFile(
  page: Page,
  name: string,
  failure: Failure,
): Promise<() => Promise<void>> {
  const url = fileAddress(name)
  await page.route(url, failures[failure])
  return () => page.unroute(url)
}

/** Holds a file back. @returns how to let it arrive. */
export async function holdFile(page: Page, name: string): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(fileAddress(name), async (route) => {
    await released
    await route.continue()
  })
  return release
}

const fileAddress = (name: string): RegExp => new RegExp(`/assets/${name}-[\\w-]+\\.js(\\?.*)?$`)
