/** The entry `@svc/auth/mount`: the panel and its bell for a page without a framework. */
export { mountBell } from './mount-bell.tsx'
export { mountPanel } from './mount-panel.tsx'
export type { BellOptions, PanelOptions } from './panel-options.ts'
export type { HostPage, PanelOfPage, PanelSession } from '../src/client/client.ts'
