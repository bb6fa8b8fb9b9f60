import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeSlowDisk } from '../../scripts/slow-disk.mjs'
import { PASSWORD } from '../support/browser.ts'
import { ownEnvironment, startHostNode, startPanelNode } from '../support/nodes.ts'
import { USER } from '../support/paths.ts'
import { CHEAP } from '../support/service.ts'

const EMAIL = 'una@example.com'
const SLOW_MS = 150
const VERY_SLOW_MS = 1000

describe.skipIf(process.platform !== 'linux')('On a disk that is slow', { timeout: 90_000 }, () => {
  it('users who are logged in are served while a login waits for the disk', async () => {
    const { node, disk } = await startOnSlowDisk()
    const una = node.browser()
    expect((await una.logIn(EMAIL)).status).toBe(200)
    disk.set(VERY_SLOW_MS)
    const startedAt = performance.now()
    const over = new AbortController()
    const login = node
      .browser()
      .logIn(EMAIL)
      .finally(() => over.abort())
    const waits: number[] = []
    while (!over.signal.aborted) {
      const askedAt = performance.now()
      expect((await una.get(USER)).status).toBe(200)
      waits.push(performance.now() - askedAt)
    }
    expect((await login).status).toBe(200)
    // Acknowledged after the disk has it; and no read waited for that.
    expect(performance.now() - startedAt).toBeGreaterThan(VERY_SLOW_MS)
    expect(Math.max(...waits)).toBeLessThan(VERY_SLOW_MS / 2)
  })

  it('the host writes its own tables while logins wait for the disk', async () => {
    const { node } = await startOnSlowDisk()
    const logins = Array.from({ length: 6 }, async () => node.browser().logIn(EMAIL))
    for (const email of ['duo@example.com', 'tre@example.com', 'qua@example.com']) {
      await node.enrol(email, PASSWORD)
    }
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('a login that cannot be written is answered 503, and logs nobody in', async () => {
    const { node, disk } = await startOnSlowDisk()
    const una = node.browser()
    disk.set('broken')
    expect((await una.logIn(EMAIL)).status).toBe(503)
    disk.set(0)
    expect((await una.get(USER)).status).toBe(401)
    expect((await una.logIn(EMAIL)).status).toBe(200)
    expect((await una.get(USER)).status).toBe(200)
  })

  it('SIGTERM ends a node within ten seconds while a commit hangs', async () => {
    const { disk, environment } = slowDisk()
    const panel = await startPanelNode(environment)
    disk.set(SLOW_MS)
    expect((await panel.browser().logIn('bea@example.com')).status).toBe(200)
    await pause(1000)
    disk.set(30_000)
    const login = panel
      .browser()
      .logIn('bea@example.com')
      .then(
        ({ status }) => status,
        () => 'cut off',
      )
    await pause(1000)
    const since = performance.now()
    await panel.end('SIGTERM')
    expect(performance.now() - since).toBeLessThan(10_000)
    expect([503, 'cut off']).toContain(await login)
  })

  it('every confirmed login outlives a process that is killed', async () => {
    const { node, environment } = await startOnSlowDisk()
    const browsers = Array.from({ length: 8 }, () => node.browser())
    const logins = browsers.map(async (browser) => (await browser.logIn(EMAIL)).status)
    expect(new Set(await Promise.all(logins))).toEqual(new Set([200]))
    await node.kill()
    const next = await startHostNode(environment, { config: { passwords: CHEAP } })
    const seen = browsers.map(async (browser) => (await next.meet(browser).get(USER)).status)
    expect(new Set(await Promise.all(seen))).toEqual(new Set([200]))
  })
})

/** A disk whose speed the test sets, and the environment of a process on it. */
function slowDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-slow-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const disk = makeSlowDisk(folder)
  return { disk, environment: { ...ownEnvironment(), ...disk.environment } }
}

/** Starts a node whose disk has been slow for long enough that a thread writes. */
async function startOnSlowDisk() {
  const { disk, environment } = slowDisk()
  const node = await startHostNode(environment, { config: { passwords: CHEAP } })
  await node.enrol(EMAIL, PASSWORD)
  disk.set(SLOW_MS)
  expect((await node.browser().logIn(EMAIL)).status).toBe(200)
  await pause(1000)
  return { node, disk, environment }
}
