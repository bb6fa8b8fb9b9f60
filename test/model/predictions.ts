import type { Held, Person, Predicted } from './state.ts'

export const refusal = (
  status: number,
  key: string,
  more: Readonly<Record<string, unknown>> = {},
): Predicted => ({ status, body: { key: `svc::auth.${key}`, ...more } })

export const ok = (body: Readonly<Record<string, unknown>>): Predicted => ({ status: 200, body })
export const NOTHING: Predicted = { status: 204 }
export const GUEST: Held = { kind: 'guest' }

export function unreadOf({ bell }: Person): number {
  return bell.filter(({ readAt }) => readAt === null).length
}

export function instantOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** As in "b•••@example.com". */
export function masked(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1•••')
}
