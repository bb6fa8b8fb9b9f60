import type { Meter } from '../meter.ts'
import type { Passwords, PasswordSlot } from './passwords.ts'

const NO_LABELS = {}
const none = (): typeof NO_LABELS => NO_LABELS
const HASH = {
  metric: 'svc.auth.hash.duration',
  labels: NO_LABELS,
  labelsOf: none,
  labelsOfError: none,
} as const

/** Measures the hashes of a service. Returns the passwords themselves when nobody does. */
export function measuredPasswords(passwords: Passwords, meter: Meter | null): Passwords {
  if (meter === null) return passwords
  return {
    ...passwords,
    tryAcquire(origin) {
      const slot = passwords.tryAcquire(origin)
      if (slot !== null) return measuredSlot(slot, meter)
      meter.add('svc.auth.hash.refused')
      return null
    },
  }
}

function measuredSlot(slot: PasswordSlot, meter: Meter): PasswordSlot {
  return {
    ...slot,
    verify: async (password, hash) => meter.timed(HASH, () => slot.verify(password, hash)),
    refuse: async (password) => meter.timed(HASH, () => slot.refuse(password)),
    hash: async (password) => meter.timed(HASH, () => slot.hash(password)),
  }
}
