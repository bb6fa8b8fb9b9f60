import type { ReactNode, RefObject } from 'react'
import { useFieldId, useMessageId } from './element-id.ts'

export interface FieldProps {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autoComplete: string
  readonly input?: RefObject<HTMLInputElement | null>
  readonly inputMode?: 'numeric' | 'text'
  /** Direction of a value that runs this way in every language, such as a code. Default: auto. */
  readonly dir?: 'ltr'
  /** Hint below the input. */
  readonly hint?: string | undefined
  readonly defaultValue?: string | undefined
  /** Error of this field. */
  readonly error?: string | undefined
  /** The field is invalid, and the form's message says why. */
  readonly invalid?: boolean
  readonly onValue?: (value: string) => void
  /** Rendered beside the input. */
  readonly children?: ReactNode
}

/** Renders a labelled, uncontrolled input: the form reads its value on submit. */
export function Field({ label, error, hint, children, ...input }: FieldProps) {
  const { name, invalid = false } = input
  const id = useFieldId(name)
  const messageId = useMessageId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const hasError = error !== undefined
  const descriptions = [
    hasError && errorId,
    invalid && !hasError && messageId,
    hint !== undefined && hintId,
  ]
  return (
    <div data-svc-part="field">
      <label htmlFor={id} data-svc-part="label">
        {label}
      </label>
      {hasError && (
        <p id={errorId} data-svc-part="field-error">
          {error}
        </p>
      )}
      <div data-svc-part="control">
        <Input
          {...input}
          id={id}
          invalid={hasError || invalid}
          describedBy={descriptions.filter(Boolean).join(' ') || undefined}
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

interface InputProps extends Omit<FieldProps, 'label' | 'error' | 'hint' | 'children'> {
  readonly id: string
  readonly describedBy: string | undefined
}

function Input({ input, invalid, describedBy, onValue, ...attributes }: InputProps) {
  return (
    <input
      dir="auto"
      {...attributes}
      ref={input}
      autoCapitalize="none"
      autoCorrect="off"
      // A string, because Preact removes an attribute whose value is `false`.
      spellCheck="false"
      required
      data-svc-part="input"
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      onInput={({ currentTarget }) => onValue?.(currentTarget.value)}
    />
  )
}
