import type { ConfirmationLayer, ConfirmationParts } from '../core/accounts/confirmation-layer.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'

/** The confirmation layer of a service, whose module its first use loads. */
export interface BoundConfirmation {
  /** `null`: the host does not bind it. */
  readonly confirmationLayer: (() => Promise<ConfirmationLayer>) | null
}

/** Binds the confirmation layer. */
export function bindConfirmation(
  { layers, codeDigits }: CheckedHost,
  core: Omit<ConfirmationParts, 'codeDigits'>,
): BoundConfirmation {
  if (!layers.has('confirmation')) return { confirmationLayer: null }
  let loading: Promise<ConfirmationLayer> | null = null
  async function load(): Promise<ConfirmationLayer> {
    const { createConfirmationLayer } = await import('../core/accounts/confirmation-layer.ts')
    return createConfirmationLayer({ ...core, codeDigits })
  }
  return { confirmationLayer: async () => (loading ??= load()) }
}
