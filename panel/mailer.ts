import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Mailer } from '@svc/auth'
import { ensurePrivateFolder } from '@svc/auth/node'
import { isLoopbackUrl } from './people.ts'

type Message = Parameters<Mailer['send']>[0]

/** Shorter than the service's deadline of five seconds, so that the cause is reported. */
const SILENCE_MS = 4000

/**
 * Writes every mail as a file that a mail program opens, and logs the file and its link. Only for
 * trying the panel out: anybody who can read the folder or the log can use the links.
 *
 * @param log Receives one line for each mail.
 */
export function fileMailer(folder: string, log: (line: string) => void): Mailer {
  ensurePrivateFolder({
    path: folder,
    setting: 'The folder of the mails',
    isExpectedFile: (name) => name.endsWith('.eml'),
  })
  return {
    async send(message) {
      const composer = createTransport({ streamTransport: true, buffer: true })
      const { message: bytes } = await composer.sendMail(mailOf(message, 'panel@localhost'))
      const time = new Date().toISOString().replaceAll(':', '-')
      const file = join(folder, `${time}-${randomUUID().slice(0, 8)}.eml`)
      await writeFile(file, bytes, { flag: 'wx', mode: 0o600 })
      const link = /https?:\/\/\S+/.exec(message.text)?.[0]
      log(`Mail: ${file}${link === undefined ? '' : `, its link: ${link}`}`)
    },
  }
}

/**
 * Sends mails by SMTP, over TLS where the server is on another machine: their links open accounts.
 *
 * @param url Such as `smtps://user:password@mail.example.com` or `smtp://localhost:1025`. With
 * `?ignoreTLS=true`, mails cross the network unencrypted.
 */
export function smtpMailer(url: string, from: string): Mailer {
  const requireTLS = !isLoopbackUrl(url) && new URL(url).searchParams.get('ignoreTLS') !== 'true'
  const patience = {
    dnsTimeout: SILENCE_MS,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
  }
  return {
    async send(message) {
      const transport = createTransport({ url, requireTLS, ...patience })
      await transport.sendMail(mailOf(message, from))
    },
  }
}

function mailOf({ to, subject, text, html }: Message, from: string): SendMailOptions {
  return {
    from,
    // An object is one address; a string with commas or brackets could become several.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Stops out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
