import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { loggedIn, visitor } from '../../support/logins.ts'
import { LOGIN, USER } from '../../support/paths.ts'
import {
  change,
  NEW_PASSWORD,
  reset,
  startTwoPasswordNodes,
  tokenFor,
} from '../../support/passwords.ts'
import { GUEST, tally, verdict } from '../../support/verdicts.ts'

const LINK_INVALID = '422 password_link_invalid'
const OTHER_PASSWORD = 'nine purple trains leave town'

describe.each(Object.entries(storesOfTwoNodes))('Passwords on two nodes with %s', (_name, open) => {
  it('PWD-08: a link works once, of many uses at once', async () => {
    const nodes = await startTwoPasswordNodes(await open())
    const token = await tokenFor(nodes[0])
    const verdicts = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        verdict(await reset(nodes[index % 2 === 0 ? 0 : 1], token, `${NEW_PASSWORD} ${index}`)),
      ),
    )
    expect(tally(verdicts)).toEqual({ ok: 1, [LINK_INVALID]: 5 })
    const kept = `${NEW_PASSWORD} ${verdicts.indexOf('ok')}`
    expect((await (await visitor(nodes[1])).logIn('u1@x.test', kept)).status).toBe(200)
  })

  it('one of a change and a reset at once is refused', async () => {
    const nodes = await startTwoPasswordNodes(await open())
    const [una, token] = [await loggedIn(nodes[0]), await tokenFor(nodes[1])]
    const [changed, wasReset] = await Promise.all([
      change(una),
      reset(nodes[1], token, OTHER_PASSWORD),
    ])
    const verdicts = [verdict(changed), verdict(wasReset)]
    expect([
      ['ok', LINK_INVALID],
      [GUEST, 'ok'],
    ]).toContainEqual(verdicts)
    const kept = verdicts[0] === 'ok' ? NEW_PASSWORD : OTHER_PASSWORD
    expect((await (await visitor(nodes[0])).logIn('u1@x.test', kept)).status).toBe(200)
    expect(verdict(await una.get(USER))).toBe(verdicts[0])
  })

  it('PWD-09: a login with the old password leaves no session after a reset', async () => {
    const nodes = await startTwoPasswordNodes(await open())
    const token = await tokenFor(nodes[0])
    const browsers = await Promise.all(Array.from({ length: 4 }, async () => visitor(nodes[1])))
    const [wasReset] = await Promise.all([
      reset(nodes[0], token),
      ...browsers.map(async (una) => una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })),
    ])
    expect(verdict(wasReset)).toBe('ok')
    for (const una of browsers) expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('a change ends the sessions of the user on the other node', async () => {
    const nodes = await startTwoPasswordNodes(await open())
    const [una, other] = [await loggedIn(nodes[0]), await loggedIn(nodes[1])]
    expect(verdict(await change(una))).toBe('ok')
    expect(verdict(await other.get(USER))).toBe(GUEST)
    expect(verdict(await una.get(USER))).toBe('ok')
  })
})
