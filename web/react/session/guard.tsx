import { Fragment, type ReactNode } from 'react'
import { useUser } from './provider.tsx'

/** The properties of `PanelGuard`. */
export interface PanelGuardProps {
  /** Rendered without a session, or while a gate is shut. Default: nothing. */
  readonly otherwise?: ReactNode
  readonly children: ReactNode
}

/**
 * Renders its children once the user has passed every gate, for a part of a page such as a header.
 * `PanelScreens` is for whole pages: it renders the screen that is due instead. This is not a
 * protection: the service guards the data.
 *
 * @example
 * ```tsx
 * const Orders = () => (
 *   <PanelGuard otherwise={<a href="/admin/main">Log in</a>}>
 *     <p>No orders</p>
 *   </PanelGuard>
 * )
 * ```
 */
export function PanelGuard({ otherwise = null, children }: PanelGuardProps) {
  const user = useUser()
  // Another user sees nothing that the children have read for the first.
  return user === null ? otherwise : <Fragment key={user.id}>{children}</Fragment>
}
