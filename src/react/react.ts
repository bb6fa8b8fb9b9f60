/** The entry `@svc/auth/react`: components without looks, to be styled by their `data-svc-part`. */
export { AlertBox, problemContent } from './alert-box.tsx'
export type { AlertBoxProps, AlertContent } from './alert-box.tsx'
export { LoginForm } from './login-form.tsx'
export type { LoginFormProps } from './login-form.tsx'
export { LogoutButton } from './logout-button.tsx'
export type { LogoutButtonProps } from './logout-button.tsx'
export {
  PanelAuthProvider,
  useAnnounce,
  usePanelState,
  useSession,
  useText,
  useTexts,
  useUser,
} from './provider.tsx'
export type { PanelAuthProviderProps } from './provider.tsx'
export { refusalText } from './refusal-text.ts'
export { textLocale } from './texts.ts'
export type { Text, Texts } from './texts.ts'
