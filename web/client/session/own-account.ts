import type { PanelUser } from './panel-state.ts'
import { refresh, refreshOpened, type CallFailure, type Machine } from './session-machine.ts'

/** The result of going back to the own account. */
export type ImpersonationOutcome = { readonly outcome: 'ok' } | CallFailure

/**
 * Returns the name of the person who acts as a user of the panel; `null` for the user's own
 * session.
 *
 * @example
 * ```ts
 * const state = session.getState()
 * const person = state.state === 'ready' ? impersonatorOf(state.user) : null
 * if (person !== null) console.info(`${person} acts as this user`)
 * ```
 */
export function impersonatorOf(user: PanelUser): string | null {
  // The host's own type of its users may not have the field, which the service adds.
  const { impersonated_by: by }: { readonly impersonated_by?: unknown } = user
  return isNamed(by) ? by.name : null
}

function isNamed(by: unknown): by is { readonly name: string } {
  return typeof by === 'object' && by !== null && 'name' in by && typeof by.name === 'string'
}

/** Returns to the own account of the person who acts as the user, in all tabs. */
export async function endImpersonation(machine: Machine): Promise<ImpersonationOutcome> {
  const { client, rotation, channel } = machine
  const name = 'impersonation.end'
  const answer = await rotation.run(name, async () => client.call(name))
  if (answer.outcome === 'ok') {
    channel.send('logged-in')
    await refreshOpened(machine)
    return answer
  }
  // Another tab may have gone back, or the own session may have ended.
  await refresh(machine, 'user')
  return answer.refusal.status === 404 ? { outcome: 'ok' } : answer
}
