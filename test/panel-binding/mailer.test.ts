import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileMailer, smtpMailer } from '../../build/panel/mailer.js'
import { smtpSink, smtpUrlOf } from '../support/smtp-sink.ts'

const link = `http://localhost:3000/svc/api/email/verify?${'long=enough&'.repeat(20)}signature=a-b_c`
const message = {
  to: 'eve@example.com',
  subject: 'Vérifiez votre adresse e-mail',
  text: `Ouvrez ce lien :\n\n${link}\n\nIl est valable 60 minutes.`,
  html: `<p>Ouvrez <a href="${link.replaceAll('&', '&amp;')}">ce lien</a>.</p>`,
}

describe('the mailer of files', () => {
  let folder: string
  let log: string[]

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'svc-mail-')), 'mail')
    log = []
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

  it('writes each mail as a message that a mail program opens', async () => {
    const mailer = fileMailer(folder, (line) => log.push(line))
    await mailer.send(message)
    await mailer.send({ ...message, to: 'rex@example.com' })
    const files = readdirSync(folder).toSorted()
    expect(files).toHaveLength(2)
    const mails = await Promise.all(
      files.map(async (file) => PostalMime.parse(readFileSync(join(folder, file)))),
    )
    expect(mails.map(essence)).toContainEqual(essenceOf(message))
    expect(mails.map(essence)).toContainEqual(essenceOf({ ...message, to: 'rex@example.com' }))
  })

  it('logs the path of the mail and its link in one line', async () => {
    await fileMailer(folder, (line) => log.push(line)).send(message)
    const [file = ''] = readdirSync(folder)
    expect(file).toMatch(/\.eml$/)
    expect(log).toEqual([`Mail: ${join(folder, file)}, its link: ${link}`])
  })

  it('writes mails that only the account of the panel can read', async () => {
    await fileMailer(folder, () => {}).send(message)
    const [file = ''] = readdirSync(folder)
    expect(statSync(join(folder, file)).mode & 0o077).toBe(0)
  })

  it('rejects when the folder was removed', async () => {
    const mailer = fileMailer(folder, (line) => log.push(line))
    rmSync(folder, { recursive: true })
    await expect(mailer.send(message)).rejects.toThrow('ENOENT')
    expect(log).toEqual([])
  })
})

describe('the mailer by SMTP', () => {
  const servers = new Set<Server>()

  afterEach(() => {
    for (const server of servers) server.close()
    servers.clear()
  })

  it('delivers the mail', async () => {
    const { url, received } = await smtpSink()
    await smtpMailer(url, 'Acme Panel <panel@example.com>').send(message)
    expect(received.map(({ to }) => to)).toEqual([['eve@example.com']])
    const mail = await PostalMime.parse(received[0]?.source ?? '')
    expect(essence(mail)).toEqual(essenceOf(message))
    expect(mail.from).toEqual({ name: 'Acme Panel', address: 'panel@example.com' })
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
  })

  it.each([
    'eve@example.com, rex@example.com',
    'eve@example.com>, <rex@example.com',
    '"eve, <rex@example.com>"@example.com',
    'eve@example.com\r\nRCPT TO:<rex@example.com>',
  ])('delivers to no address that is hidden in %j', async (to) => {
    const { url, received } = await smtpSink()
    const sent = smtpMailer(url, 'panel@example.com').send({ ...message, to })
    await sent.catch(() => 'refused, which is as well')
    expect(received.flatMap(({ to }) => to)).not.toContain('rex@example.com')
  })

  it('sends nothing unencrypted to another machine', async () => {
    const { url, received } = await smtpSink()
    // Reaches this machine by an address that other machines could have.
    const other = url.replace('127.0.0.1', '0.0.0.0')
    for (const address of [other, `${other}?ignoreTLS=false`])
      await expect(smtpMailer(address, 'panel@example.com').send(message)).rejects.toThrow(
        'STARTTLS',
      )
    expect(received).toEqual([])
    await smtpMailer(`${other}?ignoreTLS=true`, 'panel@example.com').send(message)
    expect(received).toHaveLength(1)
  })

  it('adds no header that a subject or an address injects', async () => {
    const { url, received } = await smtpSink()
    const subject = 'Hello\r\nBcc: rex@example.com\r\n\r\nbody'
    await smtpMailer(url, 'panel@example.com').send({ ...message, subject })
    expect(received.map(({ to }) => to)).toEqual([['eve@example.com']])
    const mail = await PostalMime.parse(received[0]?.source ?? '')
    expect(mail.bcc ?? []).toEqual([])
    expect(mail.text?.trim()).toBe(message.text)
  })

  it('rejects when the server refuses', async () => {
    const { url } = await smtpSink({ refuses: 'eve@example.com' })
    await expect(smtpMailer(url, 'panel@example.com').send(message)).rejects.toThrow('Unknown')
  })

  it('rejects within five seconds when the server says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}))
    servers.add(silent.listen(0, '127.0.0.1'))
    await once(silent, 'listening')
    const started = performance.now()
    await expect(
      smtpMailer(smtpUrlOf(silent.address()), 'panel@example.com').send(message),
    ).rejects.toThrow(/Greeting|Timeout/)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

function essenceOf({ to, subject, text, html }: typeof message) {
  return { to: [to], subject, text, html }
}

function essence({ to = [], subject, text = '', html = '' }: Email) {
  return {
    to: to.map(({ address }) => address),
    subject,
    text: text.trim(),
    html: html.trim(),
  }
}
