import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { SuccessBody } from '../../../src/rules/routes.ts'
import { normalizeTypedCode } from '../../client/session/typed-code.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { isolated } from '../parts/isolated.ts'
import { useProblem, type Problem } from '../session/use-problem.ts'
import { PasswordAlert } from '../password/password-alert.tsx'
import { problemIn, usePasswordForm } from '../password/use-password-form.ts'
import type { PasswordFormState } from '../password/use-password-form.ts'
import { useAnnounce, useSession, useText } from '../session/provider.tsx'
import { StepButton, StepForm } from '../session/step-form.tsx'
import { useDeviceName } from './device-list.tsx'
import { call, type ListedDevice } from './second-factor.ts'
import { Section } from './section.tsx'
import { AddKeyStep, SetUpStep } from './set-up-steps.tsx'

/** The form about the devices that is open. */
export type DeviceForm =
  | { readonly form: 'add' }
  | { readonly form: 'remove'; readonly device: ListedDevice }

interface DeviceFormProps {
  /** Another problem on the page, shown instead; `null` for none. */
  readonly problem: string | null
  /** Called at the end, with the result in words; `null` if the user has cancelled. */
  readonly onEnd: (done: string | null) => Promise<void>
  readonly onProblem: (problem: Problem) => void
}

/** Renders the form that adds or removes a device. It is the only section of the page. */
export function DevicePage({ form, ...props }: DeviceFormProps & { readonly form: DeviceForm }) {
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const [setup, setSetup] = useState<DeviceSetup | null>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const isAdding = form.form === 'add'
  function onBegun(begun: DeviceSetup) {
    setSetup(begun)
    heading.current?.focus()
  }
  return (
    <Section
      title={text(isAdding ? 'ui.apps.add_title' : 'ui.apps.remove_title')}
      heading={heading}
    >
      {!isAdding && <RemoveDevice {...props} device={form.device} />}
      {isAdding && setup === null && <BeginDevice {...props} onBegun={onBegun} />}
      {isAdding && setup !== null && <ConfirmDevice {...props} setup={setup} />}
    </Section>
  )
}

type DeviceSetup = SuccessBody<'two-factor.devices.begin'>

/** Renders the form that asks for a code of the user before a set-up. */
function BeginDevice({
  onBegun,
  ...props
}: DeviceFormProps & { readonly onBegun: (setup: DeviceSetup) => void }) {
  const text = useText()
  const session = useSession()
  const { form, submit, endWait } = usePasswordForm({
    required: { code: text('ui.code.required') },
    async send({ code }) {
      const typed = normalizeTypedCode(code)
      const answer = await call(session, 'two-factor.devices.begin', { code: typed })
      if (answer.outcome === 'ok') onBegun(answer.body)
      return answer
    },
  })
  return (
    <>
      <p>{text('ui.apps.add_intro')}</p>
      <CodeForm {...props} form={form} onSubmit={submit} onWaitOver={endWait} submit="continue">
        <CodeField form={form} label={text('ui.apps.proof')} />
      </CodeForm>
    </>
  )
}

/** Renders the key of a further device, and the form with its first code and its name. */
function ConfirmDevice({ setup, ...props }: DeviceFormProps & { readonly setup: DeviceSetup }) {
  const text = useText()
  const session = useSession()
  const announce = useAnnounce()
  const [copy, setCopy] = useState<'failed' | null>(null)
  const { form, submit, endWait } = usePasswordForm({
    required: { name: text('ui.apps.name_required'), code: text('ui.code.required') },
    async send({ name: given, code }) {
      const entered = { name: given, code: normalizeTypedCode(code) }
      const answer = await call(session, 'two-factor.devices.confirm', entered)
      if (answer.outcome === 'ok')
        await props.onEnd(text('ui.apps.is_added', { name: isolated(given.trim()) }))
      return answer
    },
  })
  function onCopyFailed() {
    setCopy('failed')
    announce(text('ui.tf.copy_failed'))
  }
  return (
    <CodeForm {...props} form={form} onSubmit={submit} onWaitOver={endWait} submit="save">
      <AddKeyStep
        factor={{ secret: setup.secret, qrCode: setup.qr_code }}
        onCopyFailed={onCopyFailed}
      />
      {copy === 'failed' && <p data-svc-part="hint">{text('ui.tf.copy_failed')}</p>}
      <SetUpStep number={2} title={text('ui.tf.enter_title')}>
        <Field
          name="name"
          type="text"
          label={text('ui.apps.name')}
          hint={text('ui.apps.name_hint')}
          autoComplete="off"
          error={errorOf(form, 'name')}
        />
        <CodeField form={form} label={text('ui.tf.confirm_label')} />
      </SetUpStep>
    </CodeForm>
  )
}

/** Renders the form that asks for a code before a device is removed. */
function RemoveDevice({ device, ...props }: DeviceFormProps & { readonly device: ListedDevice }) {
  const text = useText()
  const session = useSession()
  const name = isolated(useDeviceName()(device))
  const { form, submit, endWait } = usePasswordForm({
    required: { code: text('ui.code.required') },
    async send({ code }) {
      const typed = { code: normalizeTypedCode(code) }
      const answer = await call(session, 'two-factor.devices.remove', typed, { id: device.id })
      if (answer.outcome === 'ok') await props.onEnd(text('ui.apps.is_removed', { name }))
      return answer
    },
  })
  return (
    <>
      <p>{text('ui.apps.remove_intro', { name })}</p>
      <CodeForm {...props} form={form} onSubmit={submit} onWaitOver={endWait} submit="remove">
        <CodeField form={form} label={text('ui.apps.proof')} />
      </CodeForm>
    </>
  )
}

interface CodeFormProps extends DeviceFormProps {
  readonly form: PasswordFormState
  readonly onSubmit: (element: HTMLFormElement) => Promise<unknown>
  readonly onWaitOver: () => void
  readonly submit: 'continue' | 'save' | 'remove'
  readonly children: ReactNode
}

/** Renders a form with its message, its fields and its buttons. */
function CodeForm({ form, problem, submit, children, ...props }: CodeFormProps) {
  const text = useText()
  useProblem(problemIn(form), props.onProblem)
  return (
    <StepForm part="device-form" state={form.state} onSubmit={props.onSubmit}>
      <PasswordAlert form={form} problem={problem} onWaitOver={props.onWaitOver} />
      {children}
      <div data-svc-part="actions">
        <StepButton
          state={form.state}
          label={text(`ui.apps.${submit}`)}
          sendingLabel={text('ui.apps.checking')}
        />
        <Button part="secondary" onPress={() => void props.onEnd(null)}>
          {text('ui.tf.cancel')}
        </Button>
      </div>
    </StepForm>
  )
}

function CodeField({ form, label }: { readonly form: PasswordFormState; readonly label: string }) {
  const field = useRef<HTMLInputElement>(null)
  const error = errorOf(form, 'code')
  // A wrong code is typed anew.
  useLayoutEffect(() => {
    if (error !== undefined && field.current !== null) field.current.value = ''
  }, [error])
  return (
    <Field
      name="code"
      type="text"
      dir="ltr"
      label={label}
      autoComplete="one-time-code"
      input={field}
      error={error}
    />
  )
}

function errorOf(form: PasswordFormState, field: 'code' | 'name'): string | undefined {
  return form.state === 'incomplete' ? form.errors[field] : undefined
}
