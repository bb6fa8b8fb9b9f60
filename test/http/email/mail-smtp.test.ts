import { createServer } from 'node:net'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { smtpMailer } from '../../../build/panel/mailer.js'
import { loggedIn } from '../../support/logins.ts'
import { leadsTo, openLink, pathOfLink } from '../../support/mail.ts'
import { SEND_LINK } from '../../support/paths.ts'
import { startService, type TestService } from '../../support/service.ts'
import { smtpSink, smtpUrlOf } from '../../support/smtp-sink.ts'
import { verdict } from '../../support/verdicts.ts'

const FROM = 'Panel <panel@x.test>'

describe('Email verification by SMTP', () => {
  it.each([
    { language: 'en', subject: 'Verify your email for Panel', button: 'Verify email' },
    {
      language: 'fr',
      subject: 'Vérifiez votre adresse e-mail pour Panel',
      button: 'Vérifier l’adresse e-mail',
    },
  ])('delivers a mail whose link verifies: $language', async ({ language, subject, button }) => {
    const { url, received } = await smtpSink()
    const service = await startService({ mailer: smtpMailer(url, FROM) })
    const tria = await loggedIn(service, 'u3@x.test')
    const headers = { 'accept-language': language }
    expect((await tria.post(SEND_LINK, undefined, { headers })).status).toBe(202)
    expect(received.map(({ to }) => to)).toEqual([['u3@x.test']])
    const mail = await PostalMime.parse(received[0]?.source ?? '')
    expect(mail).toMatchObject({
      subject,
      from: { name: 'Panel', address: 'panel@x.test' },
      to: [{ address: 'u3@x.test' }],
      attachments: [],
    })
    // Mail programs show one part or the other; the link is whole in both after the way it was encoded in.
    const [inText = ''] = /http:\S+/.exec(mail.text ?? '') ?? []
    const [, inHtml = ''] = /<a href="([^"]+)"/.exec(mail.html ?? '') ?? []
    expect(inHtml.replaceAll('&amp;', '&')).toBe(inText)
    expect(mail.html).toContain(`>${button}</a>`)
    expect(inText.startsWith(`${service.url}/svc/api/email/verify/u3/`)).toBe(true)
    const opened = await openLink(service.browser(), pathOfLink(inText))
    expect(leadsTo(opened)).toBe('/admin/main?verified=1')
    expect((await tria.get('/svc/api/user')).status).toBe(200)
  })

  it('sends to the user only', async () => {
    const { url, received } = await smtpSink()
    const service = await startService({ mailer: smtpMailer(url, FROM) })
    const tria = await loggedIn(service, 'u3@x.test')
    for (const email of [
      'u3@x.test\r\nRCPT TO:<eve@evil.test>',
      'u3@x.test, eve@evil.test',
      'u3@x.test> <eve@evil.test',
    ]) {
      service.users.update('u3', { email })
      await tria.post(SEND_LINK)
    }
    const reached = received.flatMap(({ to }) => to)
    expect(reached.filter((address) => address !== 'u3@x.test')).not.toContain('eve@evil.test')
    expect(received.some(({ source }) => /^(?:Bcc|RCPT TO)/im.test(source))).toBe(false)
  })

  it('EMV-26 answers 503 while the server refuses or cannot be reached, and sends when it is back', async () => {
    const refusing = await smtpSink({ refuses: 'u3@x.test' })
    expect(await asked(refusing.url)).toEqual(['503 unavailable', 200])
    expect(await asked(await nobodysUrl())).toEqual(['503 unavailable', 200])
    const { url, received } = await smtpSink()
    expect(await asked(url)).toEqual(['ok', 200])
    expect(received).toHaveLength(1)
  })
})

/** Returns the verdict on a request for a mail, and the status of the session once verified. */
async function asked(url: string): Promise<readonly [string, number]> {
  const service: TestService = await startService({ mailer: smtpMailer(url, FROM) })
  const tria = await loggedIn(service, 'u3@x.test')
  const sent = verdict(await tria.post(SEND_LINK))
  service.users.update('u3', { emailVerifiedAt: 0 })
  return [sent, (await tria.get('/svc/api/user')).status]
}

/** Returns an address where nobody listens. */
async function nobodysUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = smtpUrlOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  return url
}
