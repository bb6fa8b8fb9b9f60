import { logSecurityEvents } from '@svc/auth'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startService } from '../../support/service.ts'
import { collectUnhandled } from '../../support/unhandled.ts'

const MARKER = 'a password in the wrong field'

describe('The security log', () => {
  it('has one line of JSON for each event, with the id of a user in place of a typed email', async () => {
    const { auth, users, browser } = await startService()
    const lines: string[] = []
    logSecurityEvents(auth, users, (line) => lines.push(line))
    const una = browser()
    await una.logIn('u1@x.test', 'wrong')
    await una.logIn('u1@x.test')
    await una.post('/svc/api/logout')
    await browser().logIn(`${MARKER}@x.test`.replaceAll(' ', ''), MARKER)
    await expect.poll(() => lines).toHaveLength(4)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'failed', userId: 'u1', tenant: null },
      { event: 'login', userId: 'u1' },
      { event: 'logout', userId: 'u1' },
      { event: 'failed', userId: null },
    ])
    expect(lines.join('\n')).not.toContain('x.test')
  })

  it('names no user whom a loose provider finds for another email', async () => {
    const { auth, users, browser } = await startService()
    const lines: string[] = []
    const loose = { ...users, findByEmail: async () => users.findById('u2', null) }
    logSecurityEvents(auth, loose, (line) => lines.push(line))
    const una = browser()
    for (let time = 0; time < 6; time += 1) await una.logIn('u1@x.test', 'wrong')
    const lockout = () => lines.map((line) => JSON.parse(line)).find((it) => it.event === 'lockout')
    await expect.poll(lockout).toMatchObject({ userId: null })
  })

  it('affects nothing else when it fails', async () => {
    const { auth, users, browser } = await startService()
    let calls = 0
    logSecurityEvents(auth, users, () => {
      calls += 1
      throw new Error('the disk is full')
    })
    expect((await browser().logIn('u1@x.test')).status).toBe(200)
    await expect.poll(() => calls).toBe(1)
  })

  it('is waited for when the service closes, and ends no process when it fails later', async () => {
    const unhandled = collectUnhandled()
    const { auth, users, browser } = await startService()
    const written: string[] = []
    const append = async (line: string): Promise<never> => {
      await pause(50)
      written.push(line)
      throw new Error('the disk is full')
    }
    const logger = { info: (_fields: object, line: string) => append(line) }
    logSecurityEvents(auth, users, logger)
    await browser().logIn('u1@x.test', 'wrong')
    await auth.close()
    expect(written).toHaveLength(1)
    expect(await unhandled()).toEqual([])
  })

  it('names no user of a lockout while users cannot be read, and ends when it is stopped', async () => {
    const { auth, users, browser } = await startService()
    const lines: string[] = []
    const broken = { ...users, findByEmail: async () => Promise.reject(new Error('down')) }
    const stop = logSecurityEvents(auth, broken, (line) => lines.push(line))
    const una = browser()
    for (let time = 0; time < 6; time += 1) await una.logIn('u1@x.test', 'wrong')
    const lockout = () => lines.map((line) => JSON.parse(line)).find((it) => it.event === 'lockout')
    await expect.poll(lockout).toMatchObject({ userId: null })
    stop()
    const { length } = lines
    await browser().logIn('u2@x.test')
    expect(lines).toHaveLength(length)
  })
})
