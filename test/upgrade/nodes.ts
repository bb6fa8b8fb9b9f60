import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { browserAt, type Browser } from '../support/browser.ts'
import { tokenIn } from '../support/passwords.ts'

const PROGRAM = fileURLToPath(new URL('host.mjs', import.meta.url))
const ORIGIN = 'http://panel.test'

interface Mail {
  readonly to: string
  readonly text: string
}

/** A node of one version. */
export interface UpgradeNode {
  /** The same browser, as its requests come to this node. */
  meet(browser: Browser): Browser
  browser(): Browser
  notify(email: string, title: string): Promise<void>
  /** Waits for the mail to a person. @returns the token of its link. */
  tokenFor(email: string): Promise<string>
  /** Finishes running requests, and ends the process. */
  stop(): Promise<void>
}

/** Starts a node on the build in a folder, with Redis beside the database where it is given. */
export async function startNode(
  folder: string,
  database: string,
  redis: readonly string[],
): Promise<UpgradeNode> {
  const port = await freePort()
  const child = fork(PROGRAM, [folder, database, String(port), ...redis], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const mails: Mail[] = []
  const told = new Set<string>()
  child.on('message', (message: { readonly mail?: Mail; readonly told?: string }) => {
    if (message.mail !== undefined) mails.push(message.mail)
    if (message.told !== undefined) told.add(message.told)
  })
  const closed = once(child, 'close')
  onTestFinished(() => void child.kill('SIGKILL'))
  await Promise.race([
    once(child, 'message'),
    closed.then(() => Promise.reject(new Error(`the node ended: ${stderr}`))),
  ])
  const url = `http://127.0.0.1:${port}`
  return {
    browser: () => browserAt(url, { origin: ORIGIN }),
    meet: (browser) => browserFor(url, browser),
    async notify(email, title) {
      child.send({ email, title })
      await expect.poll(() => told.has(title)).toBe(true)
    },
    async tokenFor(email) {
      // A mail about a changed password has a link, too.
      const links = () =>
        mails
          .filter(({ to }) => to === email)
          .map(({ text }) => /http:\S+/.exec(text)?.[0] ?? '')
          .filter((link) => link.includes('token='))
      await expect.poll(links).not.toEqual([])
      return tokenIn(links().at(-1) ?? '')
    },
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

/** Browsers do not share a jar between addresses, so the cookies are copied. */
function browserFor(url: string, from: Browser): Browser {
  const met = browserAt(url, { origin: ORIGIN, address: from.address })
  for (const name of ['svc_session', 'XSRF-TOKEN', 'svc_device'])
    met.setCookie(name, from.cookie(name))
  return met
}
