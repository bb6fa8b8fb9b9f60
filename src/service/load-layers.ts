import type { PanelAuth } from '../contracts/service-contract.ts'
import type { RouteParts } from '../http/routes/route-parts.ts'
import type { Service } from '../http/service.ts'

type BoundLayers = Pick<RouteParts, 'activityLog' | 'passwordLayer' | 'sessionLayer'> &
  Pick<Service, 'factor' | 'layers' | 'meter' | 'ready'>

/** Returns the method that a host awaits before it listens. */
export function readyMethod(bound: BoundLayers): PanelAuth['ready'] {
  return async () => {
    await bound.ready()
    await loadLayers(bound)
  }
}

/**
 * Loads the modules that the first use of a layer or of a route would load. By then an update may
 * have replaced their files, or the process may have no descriptor left, and Node 20 keeps the
 * failure of an import.
 */
async function loadLayers(bound: BoundLayers): Promise<void> {
  const { activityLog, passwordLayer, sessionLayer, factor, layers, meter } = bound
  await Promise.all([
    activityLog?.(),
    passwordLayer?.(),
    sessionLayer?.(),
    factor?.ready(),
    passwordLayer && import('../core/accounts/common-passwords-list.ts'),
    layers.has('confirmation') && import('../core/accounts/confirmation-layer.ts'),
    layers.has('two-factor-devices') && import('../core/second-factor/factor-devices.ts'),
    layers.has('trusted-devices') && import('../core/login/trusted-devices.ts'),
    layers.has('impersonation') && import('../core/impersonation/end-impersonation.ts'),
    meter && import('../core/bell/bus-lag.ts'),
    import('../adapters/fetch.ts'),
    import('../core/passwords/owed-jobs.ts'),
    import('../http/open-session.ts'),
    import('../http/routes/openapi.ts'),
  ])
}
