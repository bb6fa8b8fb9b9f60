import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { Mailer } from '@svc/auth'
import { ensurePrivate } from './private-folder.ts'

type Message = Parameters<Mailer['send']>[0]

/** The service gives up after five seconds; the server's silence should end before that. */
const SILENCE_MS = 4000

/**
 * Writes every mail as a file that a mail program opens, and tells where it is and what link is in it. For a panel
 * that is tried out: who reads the folder or the log can open the links.
 *
 * @param log Gets one line for each mail.
 */
export function fileMailer(folder: string, log: (line: string) => void): Mailer {
  ensurePrivate({
    path: folder,
    setting: 'The folder of the mails',
    isOurs: (name) => name.endsWith('.eml'),
  })
  return {
    async send(message) {
      const { createTransport } = await nodemailer()
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
 * Sends by SMTP.
 *
 * @param url Such as `smtps://user:password@mail.example.com` or `smtp://localhost:1025`.
 */
export function smtpMailer(url: string, from: string): Mailer {
  const patience = {
    dnsTimeout: SILENCE_MS,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
  }
  return {
    async send(message) {
      const { createTransport } = await nodemailer()
      const transport = createTransport({ url, ...patience })
      await transport.sendMail(mailOf(message, from))
    },
  }
}

/** Loaded with the first mail: most requests need none. */
const nodemailer = async () => import('nodemailer')

function mailOf({ to, subject, text, html }: Message, from: string): SendMailOptions {
  return {
    from,
    // As an object it is one address, whatever commas and brackets are in it.
    to: { name: '', address: to },
    subject,
    text,
    html,
    // Out-of-office notes need not answer it.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
