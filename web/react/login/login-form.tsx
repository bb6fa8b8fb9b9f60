import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Button } from '../parts/button.tsx'
import { Checkbox } from '../parts/checkbox.tsx'
import { Field, type FieldProps } from '../parts/field.tsx'
import { isReasonFirst, LoginAlert } from './login-alert.tsx'
import { PasswordField, type Shown } from '../session/password-field.tsx'
import { useAnnounce, usePanelState, useSession, useText } from '../session/provider.tsx'
import { StepButton, StepForm } from '../session/step-form.tsx'
import { useLogin, type LoginFormState } from './use-login.ts'
import { useProblem, type Problem } from '../session/use-problem.ts'

/** The properties of `LoginForm`. */
export interface LoginFormProps {
  /** Called when an error appears or goes, so that the title of the page can say so. */
  readonly onProblem?: (problem: Problem) => void
  /** Rendered below the button: a link to help, for example. */
  readonly children?: ReactNode
}

type Input = RefObject<HTMLInputElement | null>

/**
 * Renders the form for email and password, with its errors and waits.
 *
 * @example
 * ```tsx
 * const Login = () => (
 *   <LoginForm>
 *     <a href="/help">Help</a>
 *   </LoginForm>
 * )
 * ```
 */
export function LoginForm({ onProblem, children }: LoginFormProps) {
  const { form, submit, showWaitOf, endWait } = useLogin()
  const announce = useAnnounce()
  const text = useText()
  const session = useSession()
  const [shown, setShown] = useState<Shown>('hidden')
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const email = useFirstFocus(emailField, passwordField)
  useProblem(isProblem(form) ? 'shown' : 'none', onProblem)

  async function send(entered: HTMLFormElement) {
    setShown('hidden')
    announce('')
    // Password managers read the field on submit, before the next render.
    if (passwordField.current) passwordField.current.type = 'password'
    const { state } = await submit(credentialsOf(entered))
    const isSpent = state === 'mismatch' || state === 'waiting'
    if (isSpent && passwordField.current) passwordField.current.value = ''
  }

  return (
    <StepForm part="login" state={form.state} onSubmit={send}>
      <LoginAlert form={form} onWaitOver={endWait} />
      <EmailField form={form} input={emailField} defaultValue={email} onValue={showWaitOf} />
      <PasswordField
        {...fieldErrorProps(form, 'password')}
        label={text('ui.login.password')}
        autoComplete="current-password"
        input={passwordField}
        shown={shown}
        onShown={setShown}
      />
      {session.rememberDays !== null && (
        <Checkbox
          name="remember"
          label={text('ui.login.remember', { count: session.rememberDays })}
          hint={text('ui.shared_computer')}
        />
      )}
      {session.passwords && (
        <Button part="quiet" onPress={() => session.showForgotPassword(emailField.current?.value)}>
          {text('ui.login.forgot')}
        </Button>
      )}
      <StepButton
        state={form.state}
        label={text('ui.login.submit')}
        sendingLabel={text('ui.login.submitting')}
      />
      {children}
    </StepForm>
  )
}

/**
 * Returns the field that takes the focus: the email on a first visit, else the password, or none if
 * the reason takes it.
 */
function useFirstFocus(emailField: Input, passwordField: Input): string {
  const state = usePanelState()
  const [initialState] = useState(state)
  const email = initialState.state === 'guest' ? initialState.email : null
  useLayoutEffect(() => {
    if (isReasonFirst(initialState)) return
    const first = email === null ? emailField : passwordField
    first.current?.focus()
  }, [initialState, email, emailField, passwordField])
  return email ?? ''
}

function isProblem({ state }: LoginFormState): boolean {
  switch (state) {
    case 'arrived':
    case 'idle':
    case 'sending':
    case 'waited':
      return false
    case 'incomplete':
    case 'mismatch':
    case 'failed':
    case 'waiting':
      return true
  }
}

interface EmailFieldProps extends Pick<FieldProps, 'input' | 'defaultValue' | 'onValue'> {
  readonly form: LoginFormState
}

function EmailField({ form, ...field }: EmailFieldProps) {
  const text = useText()
  return (
    <Field
      {...field}
      {...fieldErrorProps(form, 'email')}
      name="email"
      type="email"
      dir="ltr"
      label={text('ui.login.email')}
      autoComplete="username"
    />
  )
}

/**
 * Returns the error props of a field. A mismatch has one message for both fields, which does not
 * say which one is wrong.
 */
function fieldErrorProps(form: LoginFormState, field: 'email' | 'password') {
  if (form.state === 'mismatch') return { invalid: true }
  return { error: form.state === 'incomplete' ? form.errors[field] : undefined }
}

/** Reads the form itself, because password managers fill fields in without key events. */
function credentialsOf(form: HTMLFormElement) {
  const entered = new FormData(form)
  const entry = (name: string) => {
    const value = entered.get(name)
    return typeof value === 'string' ? value : ''
  }
  const remember = entered.has('remember') ? { remember: true } : {}
  return { email: entry('email'), password: entry('password'), ...remember }
}
