/** Loaded on demand: most users never open these pages. In one file, because few open only one. */
export { SecurityPage as Security } from '../security/security-page.tsx'
export { ForgotPassword } from '../password/forgot-password.tsx'
export { ChoosePassword } from '../password/choose-password.tsx'
export { DisownLogin } from '../password/disown-login.tsx'
export { loadAccountTexts } from '../texts/account-texts.ts'
export { ConfirmDialog } from '../confirm/confirm-dialog.tsx'
