import type { Stores } from '@svc/auth'
import { postgresStores } from '@svc/auth/postgres'
import { fakeClock, outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../../support/browser.ts'
import { confirmBy, startConfirmation } from '../../support/confirmation.ts'
import { visitor } from '../../support/logins.ts'
import {
  change,
  NEW_PASSWORD,
  reset,
  tokenFor,
  UNRATIONED_PASSWORDS,
  type PasswordService,
} from '../../support/passwords.ts'
import { LOGIN, USER } from '../../support/paths.ts'
import { emptyPostgres } from '../../support/postgres.ts'
import { moveTo } from '../../support/second-factor.ts'
import { somePeople } from '../../support/service.ts'
import { endOthers, logInFrom } from '../../support/session-list.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

const LINK_INVALID = '422 password_link_invalid'
const OTHER_PASSWORD = 'nine purple trains leave town'
/** A race that one round misses is met by another. */
const ROUNDS = [1, 2, 3]

type Nodes = readonly [PasswordService, PasswordService, PasswordService]

/** Starts three nodes of one service with the layers of the account, on one PostgreSQL. */
async function startNodes(): Promise<Nodes> {
  const url = await emptyPostgres()
  const mailer = outbox()
  const shared = {
    users: somePeople(),
    clock: fakeClock(),
    mailer,
    passwords: {},
    sessions: { devices: true },
    appUrl: 'http://panel.test',
    config: {
      limits: {
        ...UNRATIONED_PASSWORDS,
        'sessions.end-others': { max: 1000, window_seconds: 60 },
      },
    },
  }
  const start = async (stores: Stores) => ({
    ...(await startConfirmation({ ...shared, stores })),
    mailer,
  })
  return [
    await start(await postgresStores(url)),
    await start(await postgresStores(url)),
    await start(await postgresStores(url)),
  ]
}

/** Returns what each node says about the session of a browser. */
async function everywhere(nodes: Nodes, browser: Browser): Promise<readonly string[]> {
  return Promise.all(nodes.map(async (node) => verdict(await moveTo(node, browser).get(USER))))
}

const attempt = { email: 'u1@x.test', password: PASSWORD }

describe('On three nodes with one PostgreSQL', () => {
  it.each(ROUNDS)(
    'PWD-09: one password stays after a reset, a change and logins at once, and no login with the old one (round %i)',
    async () => {
      const nodes = await startNodes()
      const una = await logInFrom(nodes[0])
      const token = await tokenFor(nodes[1])
      const late = await Promise.all(nodes.map(async (node) => visitor(node)))
      const [wasReset, changed] = await Promise.all([
        reset(nodes[1], token, OTHER_PASSWORD),
        change(una),
        ...late.map(async (browser) => browser.post(LOGIN, attempt)),
      ])
      const verdicts = [verdict(changed), verdict(wasReset)]
      expect([
        ['ok', LINK_INVALID],
        [GUEST, 'ok'],
      ]).toContainEqual(verdicts)
      const kept = verdicts[0] === 'ok' ? NEW_PASSWORD : OTHER_PASSWORD
      for (const browser of late)
        expect(await everywhere(nodes, browser)).toEqual([GUEST, GUEST, GUEST])
      for (const node of nodes) {
        expect((await (await visitor(node)).logIn('u1@x.test', kept)).status).toBe(200)
        expect((await (await visitor(node)).logIn('u1@x.test', PASSWORD)).status).toBe(422)
      }
    },
  )

  it.each(ROUNDS)(
    'CNF-02: a confirmation at the moment of a reset brings no session back (round %i)',
    async () => {
      const nodes = await startNodes()
      const una = await logInFrom(nodes[0])
      const token = await tokenFor(nodes[1])
      const proofs = nodes.map(async (node) => confirmBy(moveTo(node, una), { password: PASSWORD }))
      const wasReset = await reset(nodes[1], token, OTHER_PASSWORD)
      await Promise.all(proofs)
      expect(verdict(wasReset)).toBe('ok')
      expect(await everywhere(nodes, una)).toEqual([GUEST, GUEST, GUEST])
    },
  )

  it.each(ROUNDS)(
    'DEV-10: one of three sessions at most stays where all end the others during a login (round %i)',
    async () => {
      const nodes = await startNodes()
      const browsers = await Promise.all(nodes.map(async (node) => logInFrom(node)))
      const late = await visitor(nodes[2])
      await Promise.all([
        ...browsers.map(async (browser) => endOthers(browser)),
        late.post(LOGIN, attempt),
      ])
      const seen = await Promise.all(
        [late, ...browsers].map(async (browser) => new Set(await everywhere(nodes, browser))),
      )
      // Every node says the same about a session.
      for (const verdicts of seen) expect(verdicts.size).toBe(1)
      const [, ...before] = seen
      expect(before.filter((verdicts) => verdicts.has('ok')).length).toBeLessThanOrEqual(1)
    },
  )
})
