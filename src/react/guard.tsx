import type { ReactNode } from 'react'
import { usePanelState } from './provider.tsx'

export interface PanelGuardProps {
  /** Rendered without a session, or while a gate is shut. Default: nothing. */
  readonly otherwise?: ReactNode
  readonly children: ReactNode
}

/**
 * Renders its children once the user has passed every gate. This is not a protection: the service
 * guards the data.
 */
export function PanelGuard({ otherwise = null, children }: PanelGuardProps) {
  const { state } = usePanelState()
  return state === 'ready' ? children : otherwise
}
