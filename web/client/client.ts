/** The entry `@svc/auth/client`: the browser's part, independent of any UI library. */
export { createAuthClient } from './calls/auth-client.ts'
export type { AuthClient, AuthClientOptions, CallResult } from './calls/auth-client.ts'
export type { Refusal } from './calls/answer.ts'
export { createBell } from './bell/bell-client.ts'
export type { Bell, BellOptions } from './bell/bell-client.ts'
export type { BellEntry, BellState } from './bell/bell-state.ts'
export type {
  FieldProblem,
  HostPage,
  HostPages,
  PageProblem,
  PanelOfPage,
} from './session/host-page.ts'
export { takeLinkOutcome } from './session/link-outcome.ts'
export { monotonicNow } from './monotonic-clock.ts'
// Declaration merging finds an interface that is exported by `*`, not by its name.
export type * from './session/register.ts'
export { NetworkError } from './calls/network-error.ts'
export { impersonatorOf } from './session/own-account.ts'
export type { ImpersonationOutcome } from './session/own-account.ts'
export { openPanelChannel } from './session/panel-channel.ts'
export type { PanelChannel } from './session/panel-channel.ts'
export { createPanelSession } from './session/panel-session.ts'
export type { PanelSession, PanelSessionOptions } from './session/panel-session.ts'
export type {
  CodeState,
  GuestReason,
  LinkOutcome,
  PanelState,
  PanelUser,
} from './session/panel-state.ts'
export type { AcceptedProofs, AskConfirmation } from './calls/confirmation.ts'
export type {
  CodeOptions,
  CodeOutcome,
  ConfirmOutcome,
  LoginOutcome,
  LogoutOutcome,
  MailOutcome,
} from './session/actions.ts'
export type { NewPassword, PasswordOutcome } from './session/password-actions.ts'
export type { PasswordLink, PasswordStep } from './session/password-step.ts'
