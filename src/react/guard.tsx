import type { ReactNode } from 'react'
import { usePanelState } from './provider.tsx'

export interface PanelGuardProps {
  /** Drawn while nobody is in, or a gate is shut. Default: nothing. */
  readonly otherwise?: ReactNode
  readonly children: ReactNode
}

/** Draws what is inside only for whoever has passed every gate. The service guards what is drawn there. */
export function PanelGuard({ otherwise = null, children }: PanelGuardProps) {
  const { state } = usePanelState()
  return state === 'ready' ? children : otherwise
}
