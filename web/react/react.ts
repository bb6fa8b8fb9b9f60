/** The entry `@svc/auth/react`: unstyled components; style them by their `data-svc-part`. */
export { Bell } from './bell/bell.tsx'
export type { BellProps } from './bell/bell.tsx'
export { useBell } from './bell/use-bell.ts'
export type { UseBellOptions, BellController } from './bell/use-bell.ts'
export { CodeForm } from './code-form.tsx'
export type { CodeFormProps } from './code-form.tsx'
export { confirmLeave } from './leave-question.ts'
export { PanelGuard } from './guard.tsx'
export type { PanelGuardProps } from './guard.tsx'
export { LoginForm } from './login-form.tsx'
export type { LoginFormProps } from './login-form.tsx'
export { LogoutButton } from './logout-button.tsx'
export type { LogoutButtonProps } from './logout-button.tsx'
export {
  PanelAuthProvider,
  useAnnounce,
  useLocale,
  usePanelState,
  useSession,
  useUser,
} from './provider.tsx'
export type { PanelAuthProviderProps } from './provider.tsx'
export { PanelScreens } from './screens/panel-screens.tsx'
export type { PanelScreensProps } from './screens/panel-screens.tsx'
export { SecurityPage } from './security/security-page.tsx'
export type { SecurityPageProps, ShownSecurity } from './security/security-page.tsx'
export type { Problem } from './use-problem.ts'
export { VerifyEmail } from './verify-email.tsx'
export type { VerifyEmailProps } from './verify-email.tsx'
