import { outbox } from '@svc/auth/testing'
import { BOUND } from './trusted-devices.ts'

/** Returns the options that bind every layer but the second factor, so that every route exists. */
export function everyLayer() {
  return {
    passwords: {},
    impersonation: { allows: () => true },
    activity: true,
    confirmation: true,
    sessions: BOUND,
    mailer: outbox(),
  } as const
}
