/** The entry `@svc/auth/refine`: the authProvider and the screens for applications of refine. */
export { createAuthProvider } from './refine-auth.ts'
export type { ActionResult, SessionAuthProvider } from './refine-auth.ts'
export { PanelGate } from '../../react/screens/panel-gate.tsx'
export type { PanelGateProps } from '../../react/screens/panel-gate.tsx'
export { SecurityView } from '../../react/security/security-content.tsx'
export type { SecurityViewProps } from '../../react/security/security-content.tsx'
