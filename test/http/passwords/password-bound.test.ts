import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeClock, outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { visitor } from '../../support/logins.ts'
import { FORGOT, RESET } from '../../support/paths.ts'
import { linkFor, reset, startPasswords, tokenFor, tokenIn } from '../../support/passwords.ts'
import { rightOptions, somePeople, startService, twoTenants } from '../../support/service.ts'
import { verdict } from '../../support/verdicts.ts'
import { writtenPage } from '../../support/written-page.ts'

const LINK_INVALID = '422 password_link_invalid'
const KEYS = ['first-key-first-key-first-key-01', 'other-key-other-key-other-key-02'] as const

describe('Without the passwords layer', () => {
  it('the page has no trace of it, and with it one', async () => {
    const config = { spa: {} }
    const without = await startService({ config })
    const bound = await startPasswords({ config })
    const settings = async ({ browser }: typeof without) =>
      writtenPage((await browser().get('/admin/main')).text)
    expect(await settings(without)).not.toHaveProperty('passwords')
    expect(await settings(bound)).toHaveProperty('passwords', true)
  })

  it('password managers find nothing, and with it the Security page', async () => {
    const config = { spa: {} }
    const find = async ({ browser }: Awaited<ReturnType<typeof startService>>) => {
      const answer = await browser().get('/.well-known/change-password')
      return [answer.status, answer.headers['location']]
    }
    expect(await find(await startService({ config }))).toEqual([404, undefined])
    expect(await find(await startPasswords({ config }))).toEqual([302, '/admin/main/security'])
    const links = { change_password: 'https://id.example.com/password' }
    const hosted = await startPasswords({ config: { spa: { links } } })
    expect(await find(hosted)).toEqual([302, links.change_password])
  })
})

describe('The start', () => {
  const options = rightOptions()

  it('refuses the layer without a mailer', () => {
    expect(() => createPanelAuth({ ...options, passwords: {} })).toThrow(/^mailer: is missing/)
  })

  it('refuses the layer where nothing can store a password, and names the remedy', () => {
    const { setPasswordHash: _, ...users } = somePeople()
    const start = () => createPanelAuth({ ...options, users, mailer: outbox(), passwords: {} })
    expect(start).toThrow(/^passwords: nothing can store a new password; give `passwords: \{ set/)
  })

  it.each([
    ['true', true],
    ['a misspelt method', { alows: () => true }],
  ])('refuses %s', (_what, passwords) => {
    const wrong = { ...options, mailer: outbox(), passwords: passwords as object }
    expect(() => createPanelAuth(wrong)).toThrow(/^passwords: /)
  })
})

describe('A token among tenants and keys', () => {
  it('PWD-12: is refused at another tenant, where the user has the same id', async () => {
    const { changes, at } = twoTenants()
    const service = await startPasswords(changes)
    const una = await visitor(service)
    await una.post(FORGOT, { email: 'u1@x.test' }, at('acme'))
    await expect.poll(() => service.mailer.sent.length).toBe(1)
    const body = { token: tokenIn(service.mailer.link('u1@x.test')), password: 'a b c d e f g h i' }
    expect(verdict(await una.post(RESET, body, at('zeta')))).toBe(LINK_INVALID)
    expect(verdict(await una.post(RESET, body, at('acme')))).toBe('ok')
  })

  it('is accepted while its key is listed, and not after', async () => {
    const [users, stores, clock] = [somePeople(), memoryStores(), fakeClock()]
    const shared = { users, clock, appUrl: 'http://panel.test' }
    const app = (...keys: readonly string[]) => ({ url: 'http://panel.test', keys })
    const first = await startPasswords({ ...shared, stores, config: { app: app(KEYS[0]) } })
    const token = await tokenFor(first)
    const other = await tokenFor(first, 'u4@x.test')
    const rotated = await startPasswords({
      ...shared,
      stores,
      config: { app: app(KEYS[1], KEYS[0]) },
    })
    expect(verdict(await reset(rotated, token))).toBe('ok')
    const without = await startPasswords({ ...shared, config: { app: app(KEYS[1]) } })
    expect(verdict(await reset(without, other))).toBe(LINK_INVALID)
  })

  it('has the address of its panel, not of the request', async () => {
    const service = await startPasswords({ appUrl: 'http://panel.test' })
    expect(new URL(await linkFor(service)).origin).toBe('http://panel.test')
  })
})
