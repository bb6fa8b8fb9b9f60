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
export type Confirmation = ReturnType<typeof createConfirmation>

export function createConfirmation() {
  const asks = new Set<AskConfirmation>()
  let running: Promise<boolean> | null = null

  /** Asks now; requests that wait at the same time share the answer. `false` if nothing asks. */
  async function ask(accepted: AcceptedProofs): Promise<boolean> {
    const [first] = asks
    if (first === undefined) return false
    running ??= first(accepted).finally(() => {
      running = null
    })
    return running
  }

  return {
    ask,
    /** Adds a function that asks. The first one asks. @returns A function that removes it. */
    onRequired: (asking: AskConfirmation) => {
      asks.add(asking)
      return () => void asks.delete(asking)
    },
    /**
     * Sends a request, and once more when its user has confirmed what its answer demands. If the
     * user cancels, the answer stays the refusal.
     */
    async send<Answer>(
      send: () => Promise<Answer>,
      refusalOf: (answer: Answer) => RefusalBody | null | Promise<RefusalBody | null>,
    ): Promise<Answer> {
      const answer = await send()
      if (asks.size === 0) return answer
      const refusal = await refusalOf(answer)
      if (refusal?.key !== 'svc::auth.confirmation_required') return answer
      return (await ask({ code: refusal.two_factor === true })) ? send() : answer
    },
  }
}
