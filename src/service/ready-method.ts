import type { PanelAuth } from '../contracts/service-contract.ts'
import type { BoundLayers } from './load-layers.ts'

/** Returns the method that a host awaits before it listens. */
export function readyMethod(
  bound: BoundLayers & { readonly ready: () => unknown },
): PanelAuth['ready'] {
  return async () => {
    await bound.ready()
    const { loadLayers } = await import('./load-layers.ts')
    await loadLayers(bound)
  }
}
