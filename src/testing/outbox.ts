import type { Mailer } from '../contracts/host.ts'
import { createFaults, failing, hanging } from './faults.ts'

/** A mail, as it was sent. */
export type SentMail = Parameters<Mailer['send']>[0]

/** A Mailer that keeps its mails, with switchable faults. */
export interface Outbox extends Mailer {
  /** Sent mails in order, without those that failed or hang. */
  readonly sent: readonly SentMail[]
  /** Number of calls of `send`, including failed ones. */
  readonly calls: number
  /** Returns the latest mail to that address; `null` if there is none. */
  last(to: string): SentMail | null
  /**
   * Returns the first link of the latest mail to that address.
   *
   * @throws {Error} No such mail has a link.
   */
  link(to: string): string
  /** Makes every mail fail until `recover`. */
  failWith(error: Error): void
  /** Makes every mail hang until `recover`; mails that hang then never finish. */
  hang(): void
  recover(): void
}

/**
 * Creates an empty outbox.
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const mailer = outbox()
 * const auth = createPanelAuth({ config, users, mailer, stores: memoryStores() })
 * // After a request for the mail that verifies the address:
 * const link = mailer.link('ada@example.com')
 * ```
 */
export function outbox(): Outbox {
  const sent: SentMail[] = []
  const { answer, calls, set, recover } = createFaults(['send'])
  const last = (to: string) => sent.findLast((mail) => mail.to === to) ?? null
  return {
    sent,
    get calls() {
      return calls.send
    },
    send: (mail) => answer('send', () => void sent.push(mail)),
    last,
    link(to) {
      const link = /https?:\/\/\S+/.exec(last(to)?.text ?? '')?.[0]
      if (link === undefined) throw new Error(`no mail to ${to} has a link`)
      return link
    },
    failWith: (error) => set(failing(error)),
    hang: () => set(hanging),
    recover,
  }
}
