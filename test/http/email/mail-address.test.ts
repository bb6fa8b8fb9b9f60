import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { startMailService, UNRATIONED_MAIL } from '../../support/mail.ts'
import { SEND_LINK } from '../../support/paths.ts'

/** Returns the recipients to whom nodemailer delivers for this value of `to`. */
async function recipientsOf(to: string): Promise<readonly string[]> {
  const composer = createTransport({ streamTransport: true, buffer: true })
  const { envelope } = await composer.sendMail({ from: 'panel@x.test', to, text: 'x' })
  return envelope.to
}

/**
 * The same mailbox in one spelling: a domain may be written in Unicode or ASCII, and a local part with an odd dot, as
 * some providers give them out, may be written in quotes (RFC 5321, section 4.1.2).
 */
function sameSpelling(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).replace(/^"([^"\\]*)"$/, '$1')
  return `${local}@${domainToASCII(address.slice(at + 1))}`
}

describe('The address of a verification mail', () => {
  it('is used unchanged or not at all', async () => {
    const service = await startMailService({ config: { limits: UNRATIONED_MAIL } })
    const tria = await loggedIn(service, 'u3@x.test')
    const special = Array.from('@@aB1.+-_\'=/~<>()"\\,;:[] \t\u00a0\u0000\u200bé用%!#$&*?^`{|}')
    const local = fc
      .array(fc.constantFrom(...special), { minLength: 0, maxLength: 8 })
      .map((units) => units.join(''))
    const domain = fc.constantFrom('x.test', 'bücher.test', 'x.test>', '"x.test"', 'x.test (c)', '')
    let mailed = 0
    await fc.assert(
      fc.asyncProperty(local, domain, async (name, host) => {
        const email = `${name}@${host}`
        service.users.update('u3', { email })
        const before = service.mailer.sent.length
        const { status } = await tria.post(SEND_LINK)
        const sent = service.mailer.sent.slice(before).map(({ to }) => to)
        expect(sent, email).toEqual(status === 202 ? [email] : [])
        for (const to of sent) {
          mailed += 1
          const recipients = await recipientsOf(to)
          expect(recipients.map(sameSpelling), JSON.stringify(to)).toEqual([sameSpelling(to)])
        }
      }),
      { numRuns: 300 },
    )
    expect(mailed).toBeGreaterThan(0)
  })

  it.each([
    'a<b@x.test',
    'a>@x.test',
    '(a)@x.test',
    '"a"@x.test',
    'a b@x.test',
    'a@x .test',
    'Eve <eve@x.test>',
    'g:a@x.test',
    'a@b@x.test',
    'a\\@x.test',
    'a@[192.0.2.1]',
    ' a@x.test',
  ])('that is %j is 503, and no mail is sent', async (email) => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    service.users.update('u3', { email })
    expect((await tria.post(SEND_LINK)).status).toBe(503)
    expect(service.mailer.sent).toEqual([])
  })

  it.each([
    "o'hara+panel@x.test",
    'a.b-c_d@x.test',
    '用户@例え.test',
    'a/b=c@x.test',
    '.a..b.@x.test',
  ])('that is %j is used unchanged', async (email) => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    service.users.update('u3', { email })
    expect((await tria.post(SEND_LINK)).status).toBe(202)
    expect(service.mailer.sent.map(({ to }) => to)).toEqual([email])
  })
})
