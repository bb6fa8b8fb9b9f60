import type { Mailer, PanelAuth } from '@svc/auth'
import { personLimits, type PersonLimits } from './person-limits.ts'
import { reasonOf } from './command.ts'
import { logFailure } from './log.ts'
import type { Person, Users } from './users.ts'

const ADVICE = 'If this was not you, change your password and tell an administrator.'

/** Notices about the security of an account. */
const texts = {
  'two-factor-on': { title: 'Two-factor authentication was turned on', body: ADVICE },
  'two-factor-off': { title: 'Two-factor authentication was turned off', body: ADVICE },
  'app-added': { title: 'An authenticator app was added to your account', body: ADVICE },
  'app-removed': { title: 'An authenticator app was removed from your account', body: ADVICE },
  'recovery-code-used': {
    title: 'A recovery code was used to log in',
    body: `Each code works once: set up two-factor authentication again when few are left. ${ADVICE}`,
  },
  locked: {
    title: 'Too many failed logins to your account',
    body: 'Somebody entered wrong passwords for your email address. Logins from there are refused for now. If this was not you, nobody has got in; a long password that you use nowhere else keeps it so.',
  },
} as const

/** A security event of one account. */
export type SecurityNotice = keyof typeof texts

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
 * Creates the notices. A user receives one of a kind per hour, because anybody can cause a lockout.
 * Changes of the second factor need the user's own session, so they reach the bell each time.
 */
export function createSecurityNotices(parts: SecurityNoticesParts): SecurityNotices {
  const { auth, mailer, limits, panelName } = parts

  async function send(person: Person, notice: SecurityNotice): Promise<void> {
    const { title, body } = texts[notice]
    const limit = { ...personLimits.notice, kind: `notice:${notice}` }
    const isFirst = await limits.count(person.id, limit)
    if (isFirst || notice !== 'locked') {
      const toDatabase = () => ({ title, body, url: null })
      await auth.notify(person, { type: 'security', via: () => ['database'], toDatabase })
    }
    if (!isFirst) return
    const text = `${title}\n\n${body}\n\n${panelName}\n`
    const html = `<p><strong>${title}</strong></p><p>${body}</p><p>${panelName}</p>`
    await mailer.send({ to: person.email, subject: `${panelName}: ${title}`, text, html })
  }

  return {
    send: async (person, notice) =>
      send(person, notice).catch((error: unknown) =>
        logFailure(`A security notice could not be sent: ${reasonOf(error)}`),
      ),
  }
}

/** Sends the notices that follow from the service's events. */
export function sendNoticesOn(
  auth: PanelAuth<Person>,
  users: Users,
  notices: SecurityNotices,
): void {
  const notifyUser = async (
    find: Promise<Person | null>,
    notice: SecurityNotice,
  ): Promise<void> => {
    try {
      const person = await find
      if (person !== null) await notices.send(person, notice)
    } catch (error) {
      logFailure(`The user of a security notice could not be loaded: ${reasonOf(error)}`)
    }
  }
  auth.on('two-factor.enabled', async ({ userId }) =>
    notifyUser(users.findById(userId), 'two-factor-on'),
  )
  auth.on('two-factor.disabled', async ({ userId }) =>
    notifyUser(users.findById(userId), 'two-factor-off'),
  )
  auth.on('two-factor.device-added', async ({ userId }) =>
    notifyUser(users.findById(userId), 'app-added'),
  )
  auth.on('two-factor.device-removed', async ({ userId }) =>
    notifyUser(users.findById(userId), 'app-removed'),
  )
  // An email without a user receives no mail.
  auth.on('lockout', async ({ email }) => notifyUser(users.findByEmail(email), 'locked'))
}
