import { useCallback } from 'react'
import { normalizeTypedCode, visibleOf } from '../../client/session/typed-code.ts'
import type { CodeOptions, CodeOutcome, Refusal } from '../../client/client.ts'
import { useSession, useTexts } from '../session/provider.tsx'
import { problemOf, refusalText, waitAfter, type RefusedWait } from '../session/refusal-text.ts'
import type { Texts } from '../texts/texts.ts'
import { useFormState } from '../parts/use-form-state.ts'

/** Kind of code. Both are sent the same way; only their spelling differs. */
export type CodeKind = 'app' | 'recovery'

/** State of the form. */
export type CodeFormState =
  | { readonly state: 'idle' | 'sending' | 'waited' }
  /** The code of this kind is wrong, and the user has to type another. */
  | { readonly state: 'wrong'; readonly kind: CodeKind; readonly message: string }
  | { readonly state: 'failed'; readonly message: string }
  | ({ readonly state: 'waiting' } & RefusedWait)

/** Provides the code step's behaviour. */
export function useCode() {
  const session = useSession()
  const texts = useTexts()
  const { form, current, moveTo } = useFormState<CodeFormState>({ state: 'idle' })

  async function submit(
    typed: string,
    kind: CodeKind,
    options: CodeOptions,
  ): Promise<CodeFormState> {
    const { state } = current.current
    if (state === 'waiting' || state === 'sending') return current.current
    const code = kind === 'app' ? normalizeTypedCode(typed) : visibleOf(typed)
    if (code === '')
      return moveTo({ state: 'wrong', kind, message: texts.text('ui.code.required') })
    moveTo({ state: 'sending' })
    return moveTo(formAfter(await session.submitCode(code, options), kind, texts))
  }

  /** Cancels the pending login. */
  async function cancel(): Promise<void> {
    const message = problemOf(await session.logout(), texts)
    if (message !== null) moveTo({ state: 'failed', message })
  }

  const endWait = useCallback(() => void moveTo({ state: 'waited' }), [moveTo])

  return { form, submit, cancel, endWait }
}

function formAfter(sent: CodeOutcome, kind: CodeKind, texts: Texts): CodeFormState {
  switch (sent.outcome) {
    case 'ok':
    case 'over':
      return { state: 'idle' }
    // Another form still waits for the service, as after leaving this screen and coming back.
    case 'busy':
    case 'unreachable':
      return { state: 'failed', message: texts.text('ui.network') }
    case 'refused':
      return formAfterRefusal(sent.refusal, kind, texts)
  }
}

function formAfterRefusal(refusal: Refusal, kind: CodeKind, texts: Texts): CodeFormState {
  const wait = waitAfter(refusal)
  if (wait !== null) return { state: 'waiting', ...wait }
  const said = refusal.errors?.['code']?.[0]
  if (refusal.key === 'svc::auth.invalid' && said !== undefined)
    return { state: 'wrong', kind, message: said }
  const message = refusalText(texts, refusal)
  const isWrong = refusal.key === 'svc::auth.two_factor_invalid'
  return isWrong ? { state: 'wrong', kind, message } : { state: 'failed', message }
}
