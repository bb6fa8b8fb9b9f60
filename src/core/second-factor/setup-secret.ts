import { isAlive, times } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { Session } from '../sessions/sessions.ts'
import { isProvisional, provisionalSecret, sealedSecretOf } from './provisional-sessions.ts'
import type { TwoFactorParts } from './two-factor-parts.ts'

/** The set-up of the second factor, or of a further device. Neither has the secret of the other. */
type Setup = 'factor' | 'device'

const PURPOSES = { factor: 'two-factor.setup', device: 'two-factor.device' } as const

/**
 * Stores a new secret in the session. Returns the secret of a concurrent request if that one stored
 * its own first.
 */
export async function keepFresh(
  parts: TwoFactorParts,
  session: Session,
  setup: Setup = 'factor',
): Promise<string | null> {
  const { factor, sessions } = parts
  const secret = await factor.newSecret()
  const sealed = seal(parts, purposeOf(session, setup), secret)
  const to = isProvisional(session) ? provisionalSecret(sealed) : sealed
  const swap = { from: session.record.pendingSecret, to }
  if (await sessions.swapSecret(session.key, swap)) return secret
  const now = await sessions.reload(session)
  return now === null ? null : waitingSecret(parts, now, setup)
}

/** Returns the secret that waits for confirmation in this session; `null` when none does. */
export function waitingSecret(
  { sealer, clock }: TwoFactorParts,
  session: Session,
  setup: Setup = 'factor',
): string | null {
  const sealed = sealedSecretOf(session.record)
  const opened = sealed === null ? null : sealer.open(sealed, purposeOf(session, setup))
  if (opened === null) return null
  // `open` decrypts only what `seal` wrote.
  const [createdAt, secret] = JSON.parse(opened) as [number, string]
  const expiresAt = createdAt + times.pendingSecretMinutes * 60_000
  return isAlive({ createdAt, expiresAt }, clock.now()) ? secret : null
}

/**
 * Seals the secret together with its creation time, so that its ten minutes cannot be restarted.
 */
function seal({ sealer, clock }: TwoFactorParts, purpose: string, secret: string): string {
  return sealer.seal(JSON.stringify([clock.now(), secret]), purpose)
}

function purposeOf({ key, record }: Session, setup: Setup): string {
  return `${PURPOSES[setup]}:${key}:${ownerKey(record)}`
}
