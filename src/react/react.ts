/** The entry `@svc/auth/react`: components without looks, to be styled by their `data-svc-part`. */
export { AddressText } from './address-text.tsx'
export { AlertBox, problemContent } from './alert-box.tsx'
export type { AlertBoxProps, AlertContent } from './alert-box.tsx'
export { Bell } from './bell/bell.tsx'
export type { BellProps } from './bell/bell.tsx'
export { useBell } from './bell/use-bell.ts'
export type { UseBellOptions, BellController } from './bell/use-bell.ts'
export { Button } from './button.tsx'
export type { ButtonProps } from './button.tsx'
export { CodeForm } from './code-form.tsx'
export type { CodeFormProps } from './code-form.tsx'
export { Dialog } from './dialog.tsx'
export type { DialogProps } from './dialog.tsx'
export { Field } from './field.tsx'
export type { FieldProps } from './field.tsx'
export { FieldLinks } from './field-links.tsx'
export type { FieldLinksProps } from './field-links.tsx'
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
  useText,
  useTexts,
  useUser,
} from './provider.tsx'
export type { PanelAuthProviderProps } from './provider.tsx'
export { ReloadButton } from './reload-button.tsx'
export { refusalText, waitKeyOf, waitText } from './refusal-text.ts'
export type { WaitKey } from './refusal-text.ts'
export { SecurityPage } from './security/security-page.tsx'
export type { SecurityPageProps, ShownSecurity } from './security/security-page.tsx'
export { useSecurity } from './security/use-security.ts'
export type { Security, SecurityAction } from './security/use-security.ts'
export { textLocale } from './texts.ts'
export type { Text, Texts } from './texts.ts'
export { untranslated } from './untranslated.ts'
export { useCountdown, useWait } from './use-countdown.ts'
export type { Wait } from './use-countdown.ts'
export { useProblem } from './use-problem.ts'
export type { Problem } from './use-problem.ts'
export { useSpoken } from './use-spoken.ts'
export { VerifyEmail } from './verify-email.tsx'
export type { VerifyEmailProps } from './verify-email.tsx'
