import type { Mailer } from '../contracts.ts'

/** A mail as it was sent. */
export type SentMail = Parameters<Mailer['send']>[0]

/** A Mailer that keeps what it is given, with faults to switch on. */
export interface Outbox extends Mailer {
  /** What was sent, in its order; what failed or hangs is not in it. */
  readonly sent: readonly SentMail[]
  /** How often `send` was called, failing or not. */
  readonly calls: number
  /** The latest to that address; `null`: there is none. */
  last(to: string): SentMail | null
  /** The first link in the text of the latest mail to that address. @throws {Error} There is none. */
  link(to: string): string
  /** Makes every mail fail, until `recover`. */
  failWith(error: Error): void
  /** Makes every mail wait for ever, until `recover`; the ones that wait then go on waiting. */
  hang(): void
  recover(): void
}

/** Makes an outbox that is empty. */
export function outbox(): Outbox {
  const sent: SentMail[] = []
  let calls = 0
  let deliver = keep
  const last = (to: string) => sent.findLast((mail) => mail.to === to) ?? null

  async function keep(mail: SentMail): Promise<void> {
    sent.push(mail)
  }
  return {
    sent,
    get calls() {
      return calls
    },
    send(mail) {
      calls += 1
      return deliver(mail)
    },
    last,
    link(to) {
      const link = /https?:\/\/\S+/.exec(last(to)?.text ?? '')?.[0]
      if (link === undefined) throw new Error(`no mail to ${to} has a link`)
      return link
    },
    failWith(error) {
      deliver = async () => {
        throw error
      }
    },
    hang() {
      deliver = () => new Promise<never>(() => {})
    },
    recover() {
      deliver = keep
    },
  }
}
