import type { Tenant } from './host.ts'

interface OfUser {
  readonly userId: string
  readonly tenant: Tenant
}

interface AtNetwork extends OfUser {
  readonly network: string
}

/**
 * The client of the request that caused an event. Any client can send any header, of any length.
 */
export interface EventClient {
  /** The IPv4 address or the IPv6 /64. */
  readonly network: string
  /** The header as received; `null` when the request carries none. */
  readonly userAgent: string | null
  /** The header as received; `null` when the request carries none. */
  readonly acceptLanguage: string | null
}

/**
 * The events and their payloads, without credentials or codes. `network` is the IPv4 address or the
 * IPv6 /64.
 */
export interface PanelEvents {
  /** Reports a login whose password is about to be checked. Throttled logins are not checked. */
  attempting: { readonly email: string; readonly tenant: Tenant; readonly network: string }
  /**
   * Reports a new session, after the code where a second factor is enabled. `by` is the option of
   * `openSession`; a login of the service has none.
   */
  login: AtNetwork & { readonly by?: string }
  /**
   * Reports a login at a place that is not known: a network and a browser without a login of the
   * user in the last 90 days. Needs `sessions.devices`.
   */
  'login.unknown-place': AtNetwork
  /**
   * Reports that a user has said, by the link of a mail, that a login was not theirs. Every session
   * of the user has ended.
   */
  'login.disowned': AtNetwork
  /**
   * Reports a refused login. `userId` is `null` if no user has the email. People type passwords
   * into the email field: do not log `email` without checking that a user has it.
   */
  failed: {
    readonly email: string
    readonly userId: string | null
    readonly tenant: Tenant
    readonly network: string
  }
  /** Reports that logins to an email are refused from now on, once for each window. */
  lockout: { readonly email: string; readonly tenant: Tenant; readonly network: string }
  /** Reports a session that its user ended. */
  logout: OfUser
  /** Reports a right password whose login now waits for a code. */
  'two-factor.challenged': AtNetwork
  /** Reports a refused code of a login, or of a user who adds or removes a device. */
  'two-factor.failed': AtNetwork
  /** Reports that a user confirmed that it is them, by the password or by a code. */
  confirmed: AtNetwork & { readonly by: 'password' | 'code' }
  /** Reports a refused password or code of a confirmation: somebody has the session. */
  'confirmation.failed': AtNetwork & { readonly by: 'password' | 'code' }
  /** Reports that a user confirmed the set-up. */
  'two-factor.enabled': OfUser
  /** Reports that a user turned the second factor off, or that `svc two-factor reset` did. */
  'two-factor.disabled': OfUser
  /** Reports that a user has added a device, after a code of another one. */
  'two-factor.device-added': AtNetwork
  /** Reports that a user has removed a device, after a code. */
  'two-factor.device-removed': AtNetwork
  /** Reports that the mailer accepted a verification mail. */
  'verification.sent': OfUser
  /**
   * Reports an email that is verified from now on: its link was opened for the first time, or `svc
   * user verify` has marked it.
   */
  verified: OfUser
  /** Reports that a user changed the password, with the current one. */
  'password.changed': AtNetwork
  /** Reports that a user chose a password by a link, after a reset or an invitation. */
  'password.reset': AtNetwork
  /** Reports that the mailer accepted a link to a new password, which somebody requested. */
  'password.forgot': AtNetwork
  /** Reports that the mailer accepted the invitation of a user. */
  'user.invited': OfUser
  /** Reports a browser in which no code of the user is asked for from now on. */
  'device.trusted': AtNetwork
  /** Reports a trusted device that its user ended. */
  'device.untrusted': OfUser
  /** Reports an entry in the bell. `type` is the type of the notification. */
  'notification.sent': OfUser & { readonly type: string }
  /** Reports an entry that was marked as read. `id` is `null` for all of them. */
  'notification.read': OfUser & { readonly id: string | null }
  /** Reports that a person acts as another one from now on. This is no `login` of the user. */
  'impersonation.started': AtNetwork & { readonly impersonatorId: string }
  /**
   * Reports the end of it: by the way back, or because anything ended the session of either, which
   * ends both. Sessions that are only forgotten end without a report.
   */
  'impersonation.ended': OfUser & { readonly impersonatorId: string }
  /**
   * Reports a session that the service ended: it was too old or idle, its user is gone, may not
   * enter the panel any more, or changed the password, it was opened without a code before the
   * second factor was enabled, or the person in it may not act as the user any more.
   */
  'session.expired': OfUser & {
    readonly reason:
      | 'lifetime'
      | 'user-gone'
      | 'user-refused'
      | 'password-changed'
      | 'two-factor-enabled'
      | 'impersonation-ended'
  }
  /**
   * Reports sessions that were ended from elsewhere, by the host, the command line or another
   * session of the user: `ended` of them, with the pending logins. A session that ends itself is a
   * `logout`.
   */
  'session.revoked': OfUser & { readonly ended: number }
  /**
   * Reports a refused request that changes something: its origin is not listed, or its token is
   * wrong.
   */
  'csrf.refused': {
    readonly reason: 'origin' | 'token'
    readonly tenant: Tenant
    readonly network: string
  }
}

/** The name of an event, for `PanelAuth.on`. */
export type PanelEvent = keyof PanelEvents
