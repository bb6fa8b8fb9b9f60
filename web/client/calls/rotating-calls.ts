import type { CallName } from './answer.ts'

export const CONFIRM: CallName = 'two-factor.confirm'

/**
 * Calls whose answer replaces the session cookie. Until it arrives, the old cookie may be invalid.
 */
export const ROTATING: ReadonlySet<CallName> = new Set([
  CONFIRM,
  'two-factor.disable',
  'password.change',
  'impersonation.end',
])
