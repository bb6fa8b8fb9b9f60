/** The entry `@svc/auth/mount`: the panel, its screens and its bell for a page of any framework. */
export { confirmLeave } from './confirm-leave.ts'
export { mountBell } from './mount-bell.tsx'
export { mountPanel } from './mount-panel.tsx'
export { mountScreens } from './mount-screens.tsx'
export { mountSecurity } from './mount-security.tsx'
export type {
  BellOptions,
  PanelOptions,
  ScreensOptions,
  SecurityOptions,
  ShowSlot,
} from './panel-options.ts'
export type { HostPage, PanelOfPage, PanelSession } from '../client/client.ts'
