import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mount } from '@svc/auth/node'
import { fakeUsers } from '@svc/auth/testing'
import { freePort } from '../../scripts/free-port.mjs'
import { PANEL_POLICY } from '../../build/src/http/wire/respond.js'
import { CHEAP, configAt, passwordHash } from '../support/service.ts'
import { openHost } from './rig.ts'

const PANEL_PAGE = `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">
  <link rel="stylesheet" href="/style.css"><script type="module" src="/panel.js"></script>
  <div id="panel"></div>`

const BELL_PAGE = `<!doctype html><html lang="fr"><title>Shop</title><link rel="icon" href="data:,">
  <link rel="stylesheet" href="/style.css"><script type="module" src="/bell.js"></script>
  <h1>Shop</h1><p>Text of the host.</p><div id="bell"></div>`

const PANEL_SCRIPT = `
  import { mountPanel } from '/mount.js'
  mountPanel(document.querySelector('#panel'), { base: '/admin/main', name: 'Acme' })`

const BELL_SCRIPT = `
  import { mountBell } from '/mount.js'
  const takeAway = mountBell(document.querySelector('#bell'))
  addEventListener('keydown', ({ key }) => key === 'x' && takeAway())`

const THREE_BELLS_PAGE = BELL_PAGE.replace('bell.js', 'three-bells.js')

const THREE_BELLS_SCRIPT = `
  import { mountBell } from '/mount.js'
  import { mountBell as mountOfCopy } from '/mount.js?copy'
  for (const place of document.querySelectorAll('p, #bell')) mountBell(place)
  mountOfCopy(document.body.appendChild(document.createElement('div')))`

const SHADOW_BELL_PAGE = BELL_PAGE.replace('bell.js', 'shadow-bell.js')

const SHADOW_BELL_SCRIPT = `
  import { mountBell } from '/mount.js'
  const root = document.querySelector('#bell').attachShadow({ mode: 'open' })
  root.append(document.querySelector('[rel=stylesheet]').cloneNode())
  mountBell(root.appendChild(document.createElement('div')))`

const users = fakeUsers([{ id: '1', name: 'Ada', email: 'ada@example.com', passwordHash }])

const PAGES: Readonly<Record<string, string>> = {
  '/shop': BELL_PAGE,
  '/three-bells': THREE_BELLS_PAGE,
  '/shadow-bell': SHADOW_BELL_PAGE,
  '/admin/main': PANEL_PAGE,
}
const SCRIPTS: Readonly<Record<string, string>> = {
  '/panel.js': PANEL_SCRIPT,
  '/bell.js': BELL_SCRIPT,
  '/three-bells.js': THREE_BELLS_SCRIPT,
  '/shadow-bell.js': SHADOW_BELL_SCRIPT,
  '/mount.js': readFileSync(fileURLToPath(import.meta.resolve('@svc/auth/mount')), 'utf8'),
}
const STYLE = readFileSync(fileURLToPath(import.meta.resolve('@svc/auth/style.css')), 'utf8')

/** A host of `node:http` alone, whose pages have no framework, and a browser at it. */
export interface PlainHost {
  readonly page: Page
  /** Sends Ada a notification. */
  readonly notify: (title: string) => Promise<void>
}

/**
 * Opens one with the panel at `/admin/main`, a bell at `/shop`, three at `/three-bells`, of which
 * one is of another copy of the package, and one in a shadow root at `/shadow-bell`; it is closed
 * after the test.
 */
export async function openPlainHost(): Promise<PlainHost> {
  const origin = `http://localhost:${await freePort()}`
  const auth = createPanelAuth({
    config: { ...configAt(origin), passwords: CHEAP },
    stores: memoryStores(),
    users,
  })
  const answer = mount(auth)
  const page = await openHost(auth, origin, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin)
    if (pathname.startsWith('/svc/')) answer(request, response, () => response.end())
    else serve(pathname, response)
  })
  const notify = async (title: string) => {
    await auth.notify(await ada(), {
      type: 'note',
      via: () => ['database'],
      toDatabase: () => ({ title, body: null, url: null }),
    })
  }
  return { page, notify }
}

function serve(path: string, response: ServerResponse): void {
  const script = SCRIPTS[path]
  const page = PAGES[path.startsWith('/admin/main') ? '/admin/main' : path]
  if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script)
  else if (path === '/style.css') response.setHeader('content-type', 'text/css').end(STYLE)
  else if (page !== undefined) {
    response.setHeader('content-security-policy', PANEL_POLICY)
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
  } else response.writeHead(404).end()
}

async function ada() {
  const person = await users.findByEmail('ada@example.com', null)
  if (person === null) throw new Error('there is no ada')
  return person
}
