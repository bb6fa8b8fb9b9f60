import type { RefusalBody } from '../../../src/rules/refusals.ts'

/** The proofs that the service accepts from the user. The password always is one. */
export interface AcceptedProofs {
  /** `true`: a code of the second factor is accepted, too. */
  readonly code: boolean
}

/**
 * Asks the user to confirm that it is them. Resolves to `true` once the service has confirmed the
 * session, and to `false` if the user cancels. Must not reject.
 */
export type AskConfirmation = (accepted: AcceptedProofs) => Promise<boolean>

/** Asks the user when the service demands a confirmation. */
export interface Confirmation {
  /** Adds a function that asks. The first one asks. @returns A function that removes it. */
  readonly onRequired: (ask: AskConfirmation) => () => void
  /** Asks now; requests that wait at the same time share the answer. `false` if nothing asks. */
  readonly ask: (accepted: AcceptedProofs) => Promise<boolean>
  /**
   * Sends a request, and once more when its user has confirmed what its answer demands. If the user
   * cancels, the answer stays the refusal.
   */
  send<Answer>(
    send: () => Promise<Answer>,
    refusalOf: (answer: Answer) => RefusalBody | null | Promise<RefusalBody | null>,
  ): Promise<Answer>
}

export function createConfirmation(): Confirmation {
  const asks = new Set<AskConfirmation>()
  let running: Promise<boolean> | null = null
  const confirmation: Confirmation = {
    onRequired(ask) {
      asks.add(ask)
      return () => asks.delete(ask)
    },
    async ask(accepted) {
      const [ask] = asks
      if (ask === undefined) return false
      running ??= ask(accepted).finally(() => {
        running = null
      })
      return running
    },
    async send(send, refusalOf) {
      const answer = await send()
      if (asks.size === 0) return answer
      const refusal = await refusalOf(answer)
      if (refusal?.key !== 'svc::auth.confirmation_required') return answer
      return (await confirmation.ask({ code: refusal.two_factor === true })) ? send() : answer
    },
  }
  return confirmation
}
