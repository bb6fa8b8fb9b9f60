import { useRef, useState, type ReactNode } from 'react'
import { monotonicNow } from '../../client/monotonic-clock.ts'
import type { CodeState } from '../../client/client.ts'
import { AddressText } from '../session/address-text.tsx'
import { AlertBox } from '../session/alert-box.tsx'
import { Button } from '../parts/button.tsx'
import { Checkbox } from '../parts/checkbox.tsx'
import { CodeField } from './code-field.tsx'
import { usePanelState, useSession, useText } from '../session/provider.tsx'
import { useFormAlert } from '../session/use-form-alert.tsx'
import { StepButton, StepForm } from '../session/step-form.tsx'
import { TimeLeft } from '../session/time-left.tsx'
import { useCode, type CodeFormState, type CodeKind } from './use-code.ts'
import { useProblem, type Problem } from '../session/use-problem.ts'

/** The properties of `CodeForm`. */
export interface CodeFormProps {
  /** Number of digits that the app shows. Default: not mentioned. */
  readonly digits?: number | null | undefined
  /** Called when an error appears or goes, so that the title of the page can say so. */
  readonly onProblem?: (problem: Problem) => void
  /** Rendered below everything: help for a user who has lost their device. */
  readonly children?: ReactNode
}

/**
 * Renders the code step of a pending login; renders nothing without one.
 *
 * @example
 * ```tsx
 * const CodeStep = () => (
 *   <CodeForm digits={6}>
 *     <a href="/help">I have lost my phone</a>
 *   </CodeForm>
 * )
 * ```
 */
export function CodeForm(props: CodeFormProps) {
  const state = usePanelState()
  return state.state === 'code' ? <CodeEntry {...props} pending={state} /> : null
}

interface CodeEntryProps extends CodeFormProps {
  readonly pending: CodeState
}

function CodeEntry({ pending, digits = null, onProblem, children }: CodeEntryProps) {
  const text = useText()
  const { form, submit, cancel, endWait } = useCode()
  const [kind, setKind] = useState<CodeKind>('app')
  const field = useRef<HTMLInputElement>(null)
  const trust = useRef<HTMLInputElement>(null)
  const { trustDays } = useSession()
  useProblem(isProblem(form) ? 'shown' : 'none', onProblem)
  const isWrong = form.state === 'wrong' && form.kind === kind

  async function send() {
    const trustDevice = trust.current?.checked ?? false
    // The user may change to the other kind, and its field, before the answer arrives.
    const input = field.current
    const { state } = await submit(input?.value ?? '', kind, { trustDevice })
    if (state !== 'wrong' || input === null) return
    input.value = ''
    input.focus()
  }

  return (
    <StepForm part="code" state={form.state} onSubmit={send}>
      <Intro pending={pending} />
      <CodeAlert form={form} onWaitOver={endWait} />
      <CodeField key={kind} kind={kind} digits={digits} input={field} invalid={isWrong} />
      {trustDays !== null && (
        <Checkbox
          name="trust"
          label={text('ui.code.trust', { count: trustDays })}
          hint={text('ui.shared_computer')}
          input={trust}
        />
      )}
      <StepButton
        state={form.state}
        label={text('ui.code.submit')}
        sendingLabel={text('ui.code.submitting')}
      />
      <TimeLeft wait={pending} />
      <Choices kind={kind} onKind={setKind} onCancel={() => void cancel()} />
      {children}
    </StepForm>
  )
}

type CodeAlertProps = Parameters<typeof useFormAlert>[0] & { readonly form: CodeFormState }

function CodeAlert({ form, onWaitOver }: CodeAlertProps) {
  const alert = useFormAlert({ form, onWaitOver })
  // The focus goes to the field of a wrong code, which this box describes.
  return <AlertBox {...alert} focusOn={form.state === 'wrong' ? null : alert.focusOn} />
}

interface ChoicesProps {
  readonly kind: CodeKind
  readonly onKind: (kind: CodeKind) => void
  readonly onCancel: () => void
}

/** Renders the ways on for a user without a code from the app. */
function Choices({ kind, onKind, onCancel }: ChoicesProps) {
  const text = useText()
  return (
    <>
      <div data-svc-part="choices">
        <Button key={kind} part="quiet" onPress={() => onKind(kind === 'app' ? 'recovery' : 'app')}>
          {text(kind === 'app' ? 'ui.code.use_recovery' : 'ui.code.use_app')}
        </Button>
        <Button part="quiet" onPress={onCancel}>
          {text('ui.code.back')}
        </Button>
      </div>
      {kind === 'recovery' && <p data-svc-part="hint">{text('ui.code.lost')}</p>}
    </>
  )
}

/** Renders the email of the login, if it is known, and the time that is left. */
function Intro({ pending: { email, maskedEmail, endsAt } }: Pick<CodeEntryProps, 'pending'>) {
  const text = useText()
  const shown = email ?? maskedEmail
  const [minutes] = useState(() => Math.ceil((endsAt - monotonicNow()) / 60_000))
  return (
    <div data-svc-part="intro">
      {shown !== null && (
        <p>
          <AddressText message="ui.code.intro" email={shown} />
        </p>
      )}
      {/* Only for screen readers, which do not announce the countdown. */}
      <p data-svc-part="spoken">{text('ui.code.minutes', { count: minutes })}</p>
    </div>
  )
}

function isProblem({ state }: CodeFormState): boolean {
  return state === 'wrong' || state === 'failed' || state === 'waiting'
}
