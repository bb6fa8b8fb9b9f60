import { expect } from 'vitest'
import { cookieHeader } from './plain-request.ts'
import { startService, type Changes } from './service.ts'
import { watchedStores } from './watched-stores.ts'

/** The address of the panel that `withUserHeaders` starts. */
export const PANEL = 'https://panel.example.test'
/** The host of `PANEL`, as browsers send it. */
export const HOST = 'panel.example.test'

const SESSION = '__Host-Http-svc_session'

/** Starts a service, logs a user in, and adds the headers that the browser sends with a page. */
export async function withUserHeaders(who: string, changes: Changes = {}) {
  const stores = watchedStores()
  const service = await startService({ appUrl: PANEL, ...changes, stores })
  const browser = service.browser()
  expect((await browser.logIn(`${who}@x.test`)).status).toBe(200)
  const lines = { host: HOST, cookie: cookieHeader({ [SESSION]: browser.cookie(SESSION) ?? '' }) }
  return { ...service, stores, lines }
}
