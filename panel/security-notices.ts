import { setTimeout as pause } from 'node:timers/promises'
import type { Mailer, PanelAuth } from '@svc/auth'
import { personLimits, type PersonLimits } from './person-limits.ts'
import { reasonOf } from './command.ts'
import { knownLanguage, languageFor } from './languages.ts'
import { logFailure } from './log.ts'
import { noticeOf, type SecurityNotice } from './notice-texts.ts'
import type { Person, Users } from './users.ts'

/** Notifies users, by bell and mail, about their account. */
export interface SecurityNotices {
  /** Sends a notice. Never rejects: failures are logged. */
  send(person: Person, notice: SecurityNotice): Promise<void>
}

/** The parts that send the notices. */
export interface SecurityNoticesParts {
  readonly auth: PanelAuth<Person>
  readonly mailer: Mailer
  readonly limits: PersonLimits
  readonly panelName: string
}

/**
 * Creates the notices, in the language of the last login: the browser that caused one may be that
 * of an attacker, who must not choose what the user can read. A user receives one of a kind per
 * hour, because anybody can cause a lockout. Changes of the second factor need the user's own
 * session, so they reach the bell each time.
 */
export function createSecurityNotices(parts: SecurityNoticesParts): SecurityNotices {
  const { auth, mailer, limits, panelName } = parts

  async function send(person: Person, notice: SecurityNotice): Promise<void> {
    const language = knownLanguage(person.language)
    const { title, body } = noticeOf(notice, language)
    const limit = { ...personLimits.notice, kind: `notice:${notice}` }
    const isFirst = await limits.count(person.id, limit)
    if (isFirst || notice !== 'locked') {
      const toDatabase = () => ({ title, body, url: null })
      await auth.notify(person, { type: 'security', via: () => ['database'], toDatabase })
    }
    if (!isFirst) return
    const text = `${title}\n\n${body}\n\n${panelName}\n`
    const html = `<div lang="${language}" dir="auto"><p><strong>${title}</strong></p><p>${body}</p><p>${panelName}</p></div>`
    await mailer.send({ to: person.email, subject: `${panelName}: ${title}`, text, html })
  }

  return {
    send: async (person, notice) =>
      send(person, notice).catch((error: unknown) =>
        logFailure(`A security notice could not be sent: ${reasonOf(error)}`),
      ),
  }
}

const NOTICES = [
  ['two-factor.enabled', 'two-factor-on'],
  ['two-factor.disabled', 'two-factor-off'],
  ['two-factor.device-added', 'app-added'],
  ['two-factor.device-removed', 'app-removed'],
] as const

const LONGEST_PAUSE_MS = 500

/** Sends the notices that follow from the service's events. */
export function sendNoticesOn(
  auth: PanelAuth<Person>,
  users: Users,
  notices: SecurityNotices,
): void {
  async function notifyUser(find: Promise<Person | null>, notice: SecurityNotice): Promise<void> {
    try {
      const person = await find
      if (person !== null) await notices.send(person, notice)
    } catch (error) {
      logFailure(`The user of a security notice could not be loaded: ${reasonOf(error)}`)
    }
  }
  for (const [event, notice] of NOTICES)
    auth.on(event, async ({ userId }) => notifyUser(users.findById(userId), notice))
  // An email without a user receives no mail. At a random time: otherwise the delay of the next
  // request would tell a stranger that the user exists.
  auth.on('lockout', async ({ email }) => {
    await pause(Math.random() * LONGEST_PAUSE_MS)
    await notifyUser(users.findByEmail(email), 'locked')
  })
  // Not at a challenge: somebody who knows the password alone must not choose the language.
  auth.on('login', async ({ userId }, client) =>
    users.keepLanguage(userId, languageFor(client?.acceptLanguage)),
  )
}
