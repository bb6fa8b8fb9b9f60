/** The entry `@svc/auth/react`: unstyled components; style them by their `data-svc-part`. */
export { Bell } from './bell/bell.tsx'
export type { BellProps } from './bell/bell.tsx'
export { useBell } from './bell/use-bell.ts'
export type { UseBellOptions, BellController } from './bell/use-bell.ts'
export { CodeForm } from './code/code-form.tsx'
export type { CodeFormProps } from './code/code-form.tsx'
export { confirmLeave } from './parts/leave-question.ts'
export { PanelGuard } from './session/guard.tsx'
export type { PanelGuardProps } from './session/guard.tsx'
export { LoginForm } from './login/login-form.tsx'
export type { LoginFormProps } from './login/login-form.tsx'
export { LogoutButton } from './session/logout-button.tsx'
export type { LogoutButtonProps } from './session/logout-button.tsx'
export {
  PanelAuthProvider,
  useAnnounce,
  useLocale,
  usePanelState,
  useSession,
  useUser,
} from './session/provider.tsx'
export type { PanelAuthProviderProps } from './session/provider.tsx'
export { PanelScreens } from './screens/panel-screens.tsx'
export type { PanelScreensProps } from './screens/panel-screens.tsx'
export { SecurityPage } from './security/security-page.tsx'
export type { SecurityPageProps } from './security/security-page.tsx'
export type { ShownSecurity } from './security/use-shown.ts'
export type { Problem } from './parts/use-problem.ts'
export { VerifyEmail } from './email/verify-email.tsx'
export type { VerifyEmailProps } from './email/verify-email.tsx'
