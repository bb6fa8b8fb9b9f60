import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { transformWithOxc } from 'vite'
import { describe, expect, it } from 'vitest'

const sample = new URL('../readme/react-host.tsx', import.meta.url)

/** Runs a module in a Node of its own, and waits until it exits by itself. */
async function runInNode(code: string): Promise<string> {
  const args = ['--input-type=module', '--eval', code]
  const cwd = new URL('../../', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 10_000 })
  return stdout
}

describe('the client on a server', () => {
  it('lets Node exit after the React sample of the documents is imported', async () => {
    // A bundler takes the style sheet out; Node has no loader for it.
    const source = readFileSync(sample, 'utf8').replace("import '@svc/auth/style.css'\n", '')
    const { code } = await transformWithOxc(source, 'react-host.tsx')
    expect(await runInNode(`${code}\nconsole.log(typeof Shop)`)).toBe('function\n')
  })

  it('lets Node exit after a session is made, started and logged in with', async () => {
    const output = await runInNode(`
      import { createAuthClient, createBell, createPanelSession, openPanelChannel } from '@svc/auth/client'
      const channel = openPanelChannel('main')
      const session = createPanelSession({ client: createAuthClient(), channel })
      createBell({ session }).start()
      session.start()
      channel.send('logged-in')
      console.log((await session.settled()).state)
    `)
    expect(output).toBe('booting\n')
  })

  it('renders the components of React as a visitor sees them first', async () => {
    const output = await runInNode(`
      import { createElement } from 'react'
      import { renderToString } from 'react-dom/server'
      import { createAuthClient, createPanelSession } from '@svc/auth/client'
      import * as react from '@svc/auth/react'
      const session = createPanelSession({ client: createAuthClient() })
      const { PanelAuthProvider, PanelScreens, Bell, LoginForm, SecurityPage } = react
      for (const part of [PanelScreens, Bell, LoginForm, SecurityPage]) {
        const element = createElement(part, { name: 'Shop', panel: 'Shop' }, 'Orders')
        const html = renderToString(createElement(PanelAuthProvider, { session }, element))
        console.log(part.name, /<(main|form|section|div)/.exec(html)[1], html.includes('Orders'))
      }
    `)
    expect(output.trimEnd().split('\n')).toEqual([
      'PanelScreens main false',
      'Bell div false',
      'LoginForm form true',
      'SecurityPage div false',
    ])
  })

  it('opens a channel with its first listener and closes it with its last', async () => {
    const output = await runInNode(`
      import { openPanelChannel } from '@svc/auth/client'
      const channel = openPanelChannel('main')
      const other = new BroadcastChannel('svc:main')
      const heard = []
      const stops = [1, 2].map((n) => channel.listen((message) => {
        heard.push(n + message)
        if (heard.length < 2) return
        for (const stop of stops) stop()
        console.log(heard.join())
        other.onmessage = ({ data }) => {
          console.log(data)
          other.close()
        }
        channel.send('logged-out')
      }))
      other.postMessage('logged-in')
    `)
    expect(output).toBe('1logged-in,2logged-in\nlogged-out\n')
  })
})
