import { useCallback } from 'react'
import type { PanelState } from '../../client/client.ts'
import { emailOf } from '../../client/session/panel-state.ts'
import { BackToLogin } from '../password/back-to-login.tsx'
import { useLocale } from '../session/provider.tsx'
import { PartScreen } from './part-screen.tsx'

export interface PasswordScreenProps {
  readonly state: Extract<PanelState, { readonly state: 'password' }>
}

/** Renders the screen for a user who has no password to log in with, or does not remember it. */
export function PasswordScreen({ state }: PasswordScreenProps) {
  const locale = useLocale()
  const load = useCallback(async () => loadForms(locale), [locale])
  return (
    <PartScreen load={load} wayBack={<BackToLogin email={() => emailOf(state)} />}>
      {(forms) => <StepScreen state={state} forms={forms} />}
    </PartScreen>
  )
}

interface StepScreenProps extends PasswordScreenProps {
  readonly forms: Awaited<ReturnType<typeof loadForms>>
}

function StepScreen({ state, forms }: StepScreenProps) {
  switch (state.step) {
    case 'forgot':
      return <forms.ForgotPassword email={state.email} />
    case 'disown':
      return <forms.DisownLogin link={state.link} />
    case 'reset':
    case 'choose':
      return <forms.ChoosePassword step={state.step} link={state.link} />
  }
}

/** Loads a file of its own: few logins need it. */
async function loadForms(locale: string) {
  const { loadAccountTexts, ...forms } = await import('./security.tsx')
  await loadAccountTexts(locale)
  return forms
}
