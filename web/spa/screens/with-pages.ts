/** Loaded together: without pages of the host, a panel has neither. */
export { HostScreen } from './host-screen.tsx'
export { Navigation } from './page-navigation.tsx'
