import { inspect } from 'node:util'
import type { Mailer } from '@svc/auth'
import { outbox } from '@svc/auth/testing'
import axios from 'axios'
import { describe, expect, it } from 'vitest'
import { visitor } from '../../support/logins.ts'
import { FORGOT } from '../../support/paths.ts'
import {
  closed,
  forget,
  linkFor,
  startPasswords,
  UNRATIONED_PASSWORDS,
} from '../../support/passwords.ts'
import { payloadsOf, somePeople, startService } from '../../support/service.ts'
import { barrier } from '../../support/time.ts'
import { verdict } from '../../support/verdicts.ts'

/** One email for each reason to send no link, and one that gets a link. */
const EMAILS = [
  ['of a user', 'u1@x.test'],
  ['of nobody', 'nobody@x.test'],
  ['of a user who is refused', 'u6@x.test'],
  ['of a user without a password', 'u7@x.test'],
  ['that is not an address', 'x'],
] as const

describe('The answer to a forgotten password', () => {
  it('PWD-01: is the same, byte for byte, for every email', async () => {
    const service = await startPasswords()
    const answers = []
    for (const [, email] of EMAILS) answers.push(await forget(service, email))
    const shown = answers.map(({ status, text, headers }) => {
      const { date: _, ...rest } = headers
      const own = Object.entries(rest).filter(([name]) => !name.startsWith('x-ratelimit'))
      return { status, text, headers: own }
    })
    for (const one of shown) expect(one).toEqual(shown[0])
    expect(shown[0]).toMatchObject({ status: 202, text: '' })
  })

  it('leaves before anything is looked up, for every email', async () => {
    const [users, { passed, open }] = [somePeople(), barrier()]
    const findByEmail: typeof users.findByEmail = async (...asked) => {
      await passed
      return users.findByEmail(...asked)
    }
    const service = await startPasswords({ users: { ...users, findByEmail } })
    for (const [, email] of EMAILS) expect((await forget(service, email)).status).toBe(202)
    open()
  })

  it('is the same during an outage of the users and of the mailer', async () => {
    const service = await startPasswords()
    service.users.failWith(new Error('away'))
    expect((await forget(service, 'u1@x.test')).status).toBe(202)
    await expect.poll(() => inspect(service.log, { depth: 5 })).toContain('away')
    service.users.recover()
    service.mailer.failWith(new Error('refused by the server'))
    expect((await forget(service, 'u1@x.test')).status).toBe(202)
    await expect.poll(() => inspect(service.log, { depth: 5 })).toContain('refused by')
  })

  it('refuses an unknown panel for every email alike', async () => {
    const service = await startPasswords()
    for (const [, email] of EMAILS)
      expect((await forget(service, email, { body: { panel: 'none' } })).json.errors).toEqual({
        panel: [expect.any(String)],
      })
  })
})

describe('The mail with a link', () => {
  it('PWD-17: is sent although one wide network has requested a thousand others', async () => {
    const [users, { passed, open }] = [somePeople(), barrier()]
    const findByEmail: typeof users.findByEmail = async (email, tenant) => {
      if (email.startsWith('stranger')) await passed
      return users.findByEmail(email, tenant)
    }
    const config = { trusted_proxies: ['127.0.0.0/8'] }
    const service = await startPasswords({ users: { ...users, findByEmail }, config })
    const stranger = await visitor(service)
    for (let batch = 0; batch < 20; batch += 1) {
      const requests = Array.from({ length: 50 }, async (_, at) => {
        const headers = { 'x-forwarded-for': `2001:db8:1:${batch}${at + 10}::1` }
        return stranger.post(FORGOT, { email: `stranger${batch}.${at}@x.test` }, { headers })
      })
      for (const { status } of await Promise.all(requests)) expect(status).toBe(202)
    }
    expect((await forget(service, 'u1@x.test')).status).toBe(202)
    open()
    await expect.poll(() => service.mailer.sent.map(({ to }) => to)).toEqual(['u1@x.test'])
  })

  it('PWD-14: is sent to users who may log in with a password, and to nobody else', async () => {
    const service = await startPasswords()
    for (const [, email] of EMAILS) await forget(service, email)
    const { mailer } = await closed(service)
    expect(mailer.sent.map(({ to }) => to)).toEqual(['u1@x.test'])
    expect(payloadsOf(service, 'password.forgot')).toHaveLength(1)
  })

  it.each(['', `!${'a'.repeat(40)}`])(
    'PWD-14: is not sent to a user whose stored text stands for no password: %j',
    async (none) => {
      const service = await startPasswords()
      service.users.update('u1', { passwordHash: none })
      await forget(service, 'u1@x.test')
      expect((await closed(service)).mailer.sent).toEqual([])
    },
  )

  it('is sent to the stored address, for any spelling of the email', async () => {
    const service = await startPasswords()
    await forget(service, ' U1@X.TEST ')
    expect((await closed(service)).mailer.sent.map(({ to }) => to)).toEqual(['u1@x.test'])
  })

  it('PWD-04: is not sent to an address that could name another recipient', async () => {
    const service = await startPasswords()
    service.users.update('u1', { email: 'u1@x.test,evil@x.test' })
    await forget(service, 'u1@x.test,evil@x.test')
    expect((await closed(service)).mailer.sent).toEqual([])
  })

  it.each(['host', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-original-url'])(
    'PWD-02: has a link to the configured address, whatever the header %s says',
    async (name) => {
      const service = await startPasswords()
      const una = await visitor(service)
      const headers = { [name]: 'evil.test' }
      await una.post(FORGOT, { email: 'u1@x.test' }, { headers })
      const [mail] = (await closed(service)).mailer.sent
      for (const text of [mail?.text, mail?.html]) {
        expect(text).toContain(`${service.url}/admin/main/reset-password#token=`)
        expect(text).not.toContain('evil')
      }
    },
  )

  it('names no user, and is in the language of the request', async () => {
    const service = await startPasswords()
    const una = await visitor(service)
    const headers = { 'accept-language': 'fr' }
    await una.post(FORGOT, { email: 'u1@x.test' }, { headers })
    const [mail] = (await closed(service)).mailer.sent
    expect(mail?.subject).toBe('Choisissez un nouveau mot de passe pour Panel')
    expect(mail?.html).toContain('<html lang="fr" dir="ltr">')
    expect(mail?.text).not.toContain('Una')
  })

  it('leads to the panel that the request names', async () => {
    const service = await startPasswords({
      config: { svc: { prefix: 'admin', panels: ['main', 'shop'] } },
    })
    await forget(service, 'u1@x.test', { body: { panel: 'shop' } })
    const [mail] = (await closed(service)).mailer.sent
    expect(mail?.text).toContain(`${service.url}/admin/shop/reset-password#`)
  })

  it('is in no log and no event, nor is the email', async () => {
    const service = await startPasswords()
    const link = await linkFor(service)
    const written = inspect([service.log, service.events], { depth: null })
    for (const secret of [link, 'token=', 'u1@x.test']) expect(written).not.toContain(secret)
  })

  it('PWD-05: is in no log when the client of a mail service keeps it in its error', async () => {
    const headers = { authorization: 'Bearer a key of the mail service' }
    const send = async (mail: object) =>
      void (await axios.post('http://127.0.0.1:1/send', mail, { headers, proxy: false }))
    const service = await startService({ mailer: { send }, passwords: {} })
    await forget(service, 'u1@x.test')
    const { log } = await closed(service)
    expect(log).toMatchObject([{ fields: { event: 'password.mail_failed' } }])
    const written = inspect(log, { depth: null })
    expect(written).toContain('ECONNREFUSED')
    for (const secret of ['token=', 'u1@x.test', 'Bearer']) expect(written).not.toContain(secret)
  })
})

describe('The ceilings of mails', () => {
  it('PWD-03: are 5 an hour for each email, from however many networks', async () => {
    const service = await startPasswords()
    for (let made = 0; made < 8; made += 1)
      expect((await forget(service, made % 2 === 0 ? 'u1@x.test' : 'U1@X.test')).status).toBe(202)
    expect((await closed(service)).mailer.sent).toHaveLength(5)
  })

  it('do not count mails that could not be sent', async () => {
    const sent = outbox()
    let failed = 0
    const send: Mailer['send'] = async (mail) => {
      if (failed === 5) return sent.send(mail)
      failed += 1
      throw new Error('the mail server does not answer')
    }
    const config = { limits: UNRATIONED_PASSWORDS }
    const service = await startService({ mailer: { send }, passwords: {}, config })
    for (let made = 0; made < 5; made += 1) await forget(service, 'u1@x.test')
    await expect.poll(() => failed).toBe(5)
    await forget(service, 'u1@x.test')
    await closed(service)
    expect(sent.sent.map(({ to }) => to)).toEqual(['u1@x.test'])
  })

  it('end with their window', async () => {
    const service = await startPasswords()
    for (let made = 0; made < 5; made += 1) await forget(service, 'u1@x.test')
    await expect.poll(() => service.mailer.sent.length).toBe(5)
    service.clock.advance({ minutes: 61 })
    await forget(service, 'u1@x.test')
    expect((await closed(service)).mailer.sent).toHaveLength(6)
  })

  it('hold for each network over all emails, known or not', async () => {
    const service = await startPasswords({
      config: { limits: { 'password.mail.network': { max: 3, window_seconds: 3600 } } },
    })
    const una = await visitor(service)
    for (const email of ['nobody@x.test', 'other@x.test', 'u1@x.test', 'u4@x.test'])
      await forget(service, email, { from: una })
    expect((await closed(service)).mailer.sent.map(({ to }) => to)).toEqual(['u1@x.test'])
  })

  it('are behind the limit of the route, which is the same for every email', async () => {
    for (const email of ['u1@x.test', 'nobody@x.test']) {
      const service = await startPasswords({
        config: { limits: { 'password.forgot': { max: 3, window_seconds: 60 } } },
      })
      const una = await visitor(service)
      const verdicts: string[] = []
      for (let made = 0; made < 4; made += 1)
        verdicts.push(verdict(await forget(service, email, { from: una })))
      expect(verdicts).toEqual(['ok', 'ok', 'ok', '429 too_many_requests'])
    }
  })
})
