/** The entry `@svc/auth/client`: what a browser needs, whatever it is drawn with. */
export { createAuthClient } from './auth-client.ts'
export type { AuthClient, AuthClientOptions, CallResult, Refusal } from './auth-client.ts'
export { NetworkError } from './network-error.ts'
export { openPanelChannel } from './panel-channel.ts'
export type { PanelChannel, PanelMessage } from './panel-channel.ts'
export { createPanelSession } from './panel-session.ts'
export type { LoginOutcome, LogoutOutcome, PanelSession } from './panel-session.ts'
export type { Gate, GuestReason, PanelState, PanelUser } from './panel-state.ts'
