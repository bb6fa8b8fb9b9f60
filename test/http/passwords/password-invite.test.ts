import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { visitor } from '../../support/logins.ts'
import { USER } from '../../support/paths.ts'
import {
  NEW_PASSWORD,
  reset,
  startPasswords,
  tokenIn,
  type PasswordService,
} from '../../support/passwords.ts'
import { payloadsOf, startService } from '../../support/service.ts'
import { verdict } from '../../support/verdicts.ts'

const LINK_INVALID = '422 password_link_invalid'

/** Invites a user. @returns the link in the mail. */
async function invited(service: PasswordService, id = 'u7', options = {}): Promise<string> {
  const user = await service.users.findById(id, null)
  if (user === null) throw new Error(`there is no user ${id}`)
  await service.auth.invite(user, options)
  return service.mailer.link(user.email)
}

describe('An invitation', () => {
  it('leads to the page for the first password, which opens the account', async () => {
    const service = await startPasswords()
    const link = await invited(service)
    expect(new URL(link).pathname).toBe('/admin/main/choose-password')
    expect(verdict(await reset(service, tokenIn(link)))).toBe('ok')
    const septima = await visitor(service)
    expect((await septima.logIn('u7@x.test', NEW_PASSWORD)).status).toBe(200)
    expect(verdict(await septima.get(USER))).toBe('ok')
    expect(payloadsOf(service, 'user.invited')).toEqual([{ userId: 'u7', tenant: null }])
  })

  it('works once, and for three days', async () => {
    const service = await startPasswords()
    const [used, late] = [tokenIn(await invited(service)), tokenIn(await invited(service, 'u1'))]
    service.clock.advance({ hours: 72, seconds: -1 })
    expect(verdict(await reset(service, used))).toBe('ok')
    expect(verdict(await reset(service, used))).toBe(LINK_INVALID)
    service.clock.advance({ seconds: 1 })
    expect(verdict(await reset(service, late))).toBe(LINK_INVALID)
  })

  it('dies when the user gets a password otherwise', async () => {
    const service = await startPasswords()
    const token = tokenIn(await invited(service))
    service.users.update('u7', { passwordHash: '$argon2id$another' })
    expect(verdict(await reset(service, token))).toBe(LINK_INVALID)
  })

  it('is in the language and leads to the panel that the host names', async () => {
    const service = await startPasswords({
      config: { svc: { prefix: 'admin', panels: ['main', 'shop'] } },
    })
    const link = await invited(service, 'u7', { language: 'fr', panel: 'shop' })
    expect(new URL(link).pathname).toBe('/admin/shop/choose-password')
    expect(service.mailer.last('u7@x.test')?.text).toContain('pendant 3 jours')
  })

  it.each([
    ['who is refused', 'u6', {}, /canAccessPanel/],
    ['of another tenant', 'u7', { tenant: 'acme' }, /no such user/],
    ['to an unknown panel', 'u7', { panel: 'none' }, /no panel none/],
  ])('is not sent to a user %s', async (_who, id, options, message) => {
    const service = await startPasswords()
    await expect(invited(service, id, options)).rejects.toThrow(message)
    expect(service.mailer.sent).toEqual([])
  })

  it('is not sent where the layer is not bound', async () => {
    const service = await startService()
    const user = await service.users.findById('u1', null)
    if (user === null) throw new Error('there is no user u1')
    await expect(service.auth.invite(user)).rejects.toThrow(
      '`passwords` is not bound; give `passwords: {}`',
    )
  })

  it('fails with the mailer', async () => {
    const service = await startPasswords()
    service.mailer.failWith(new Error('refused by the server'))
    await expect(invited(service)).rejects.toThrow('refused by the server')
    expect(payloadsOf(service, 'user.invited')).toEqual([])
    await expect.poll(() => service.mailer.calls).toBe(1)
  })

  it('PWD-05: fails without the link, which the mail server may repeat in its refusal', async () => {
    const mailer = {
      send: async ({ text }: { readonly text: string }) => {
        const response = `554 blocked: ${text}`
        throw Object.assign(new Error(`Message failed: ${response}`), {
          responseCode: 554,
          response,
        })
      },
    }
    const service = await startService({ mailer, passwords: {} })
    const user = await service.users.findById('u7', null)
    const error: unknown = await service.auth
      .invite(user ?? expect.fail('there is no user'))
      .catch((thrown: unknown) => thrown)
    // As a logger of the host writes it.
    const written = inspect(error, { depth: null, showHidden: true })
    expect(written).toContain('554')
    expect(written).not.toContain('token=')
  })
})
