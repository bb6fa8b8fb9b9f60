import { useCallback, useEffect } from 'react'
import type { PanelState } from '../../client/client.ts'
import { PartFailed } from '../session/part-failed.tsx'
import type { FailedPart } from '../session/part-failed.tsx'
import { useLocale, useText } from '../session/provider.tsx'
import { CardScreen, useTitle } from '../session/screen.tsx'
import { usePart } from '../session/use-part.ts'
import { BootScreen } from './boot.tsx'

export interface PasswordScreenProps {
  readonly state: Extract<PanelState, { readonly state: 'password' }>
}

/** Renders the screen for a user who has no password to log in with, or does not remember it. */
export function PasswordScreen({ state }: PasswordScreenProps) {
  const locale = useLocale()
  const [part, fetchPart] = usePart(useCallback(async () => loadForms(locale), [locale]))
  useEffect(() => void fetchPart(), [fetchPart])
  switch (part.state) {
    case 'loading':
      return <BootScreen />
    case 'failed':
      return <FailedScreen part={part} onRetry={() => void fetchPart()} />
    case 'loaded':
      return <StepScreen state={state} forms={part.content} />
  }
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

interface FailedScreenProps {
  readonly part: FailedPart
  readonly onRetry: () => void
}

function FailedScreen({ part, onRetry }: FailedScreenProps) {
  const title = useText()('ui.broken.title')
  useTitle(title, 'shown')
  return (
    <CardScreen>
      <h1>{title}</h1>
      <PartFailed part={part} onRetry={onRetry} />
    </CardScreen>
  )
}

/** Loads a file of its own: few logins need it. */
async function loadForms(locale: string) {
  const { loadAccountTexts, ...forms } = await import('./security.tsx')
  await loadAccountTexts(locale)
  return forms
}
