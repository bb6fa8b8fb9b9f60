import type { ReactNode, RefObject } from 'react'

export interface FieldProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autoComplete: string
  readonly input: RefObject<HTMLInputElement | null>
  readonly inputMode?: 'numeric' | 'text'
  /** Direction of the value, for values that run this way in every language: an address, a code. */
  readonly dir?: 'ltr'
  /** Hint below the input. */
  readonly hint?: string | undefined
  readonly defaultValue?: string | undefined
  /** Error of this field. */
  readonly error?: string | undefined
  /** The field is invalid, and the error is described elsewhere. */
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly onValue?: (value: string) => void
  /** Rendered beside the input. */
  readonly children?: ReactNode
}

/** Renders a labelled, uncontrolled input: the form reads its value on submit. */
export function Field({ id, label, input, error, hint, children, ...field }: FieldProps) {
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const wrong = error !== undefined || field.invalid === true
  const described = [
    error === undefined ? field.describedBy : errorId,
    hint === undefined ? undefined : hintId,
  ]
  return (
    <div data-svc-part="field">
      <label htmlFor={id} data-svc-part="label">
        {label}
      </label>
      {error !== undefined && (
        <p id={errorId} data-svc-part="field-error">
          {error}
        </p>
      )}
      <div data-svc-part="control">
        <input
          ref={input}
          id={id}
          name={field.name}
          type={field.type}
          defaultValue={field.defaultValue}
          autoComplete={field.autoComplete}
          inputMode={field.inputMode}
          dir={field.dir}
          autoCapitalize="none"
          autoCorrect="off"
          // A string, because Preact removes an attribute whose value is `false`.
          spellCheck="false"
          required
          data-svc-part="input"
          aria-invalid={wrong || undefined}
          aria-describedby={described.filter((id) => id !== undefined).join(' ') || undefined}
          onInput={({ currentTarget }) => field.onValue?.(currentTarget.value)}
        />
        {children}
      </div>
      {hint !== undefined && (
        <p id={hintId} data-svc-part="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
