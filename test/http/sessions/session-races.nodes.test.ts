import { describe, expect, it } from 'vitest'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { USER } from '../../support/paths.ts'
import {
  disown,
  endOthers,
  endSession,
  idOf,
  logInFrom,
  noticedLogin,
  sessionsOf,
  startTwoSessionNodes,
} from '../../support/session-list.ts'
import { GUEST, tally, verdict } from '../../support/verdicts.ts'

describe.each(Object.entries(storesOfTwoNodes))('Sessions on two nodes with %s', (_name, open) => {
  it('are listed and ended on the other node', async () => {
    const nodes = await startTwoSessionNodes(await open())
    const [una, other] = [await logInFrom(nodes[0]), await logInFrom(nodes[1])]
    expect(await sessionsOf(una)).toMatchObject([
      { current: true, browser: 'Firefox' },
      { current: false, browser: 'Firefox', system: 'Linux' },
    ])
    expect((await endSession(una, await idOf(other))).status).toBe(204)
    expect(verdict(await other.get(USER))).toBe(GUEST)
  })

  it('DEV-06: one of many uses of one link at once succeeds', async () => {
    const nodes = await startTwoSessionNodes(await open())
    const { token } = await noticedLogin(nodes[0])
    const verdicts = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        verdict(await disown(nodes[index % 2 === 0 ? 0 : 1], token)),
      ),
    )
    expect(tally(verdicts)).toEqual({ ok: 1, '422 session_link_invalid': 5 })
  })

  it('DEV-10: one of two sessions that end all others at once stays at most', async () => {
    const nodes = await startTwoSessionNodes(await open())
    const browsers = [await logInFrom(nodes[0]), await logInFrom(nodes[1])]
    await Promise.all(browsers.map(async (browser) => endOthers(browser)))
    const states = await Promise.all(
      browsers.map(async (browser) => verdict(await browser.get(USER))),
    )
    expect(states.filter((state) => state === 'ok').length).toBeLessThanOrEqual(1)
  })

  it('DEV-13: every login at a new place but the first is reported when they are at once', async () => {
    const nodes = await startTwoSessionNodes(await open())
    await Promise.all([logInFrom(nodes[0]), logInFrom(nodes[1]), logInFrom(nodes[0])])
    await expect.poll(() => nodes[0].mailer.sent.length).toBe(2)
  })
})
