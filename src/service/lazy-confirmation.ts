import type { ConfirmationLayer, ConfirmationParts } from '../core/accounts/confirmation-layer.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'
import { lazily } from './lazily.ts'

/** Binds the confirmation layer, whose module its first use loads; `null`: the host does not. */
export function bindConfirmation(
  { layers, codeDigits }: CheckedHost,
  core: Omit<ConfirmationParts, 'codeDigits'>,
): (() => Promise<ConfirmationLayer>) | null {
  if (!layers.has('confirmation')) return null
  return lazily(async () => {
    const { createConfirmationLayer } = await import('../core/accounts/confirmation-layer.ts')
    return createConfirmationLayer({ ...core, codeDigits })
  }).load
}
