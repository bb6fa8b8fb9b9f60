import type { ReactNode, RefObject } from 'react'

export interface FieldProps {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autoComplete: string
  readonly input: RefObject<HTMLInputElement | null>
  readonly inputMode?: 'numeric' | 'text'
  /** What is typed runs this way in every language: an address, a code. */
  readonly dir?: 'ltr'
  /** Said below the input, before anything is wrong. */
  readonly hint?: string | undefined
  readonly defaultValue?: string | undefined
  /** What is wrong with this field. */
  readonly error?: string | undefined
  /** Wrong together with others, described elsewhere. */
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly onValue?: (value: string) => void
  /** Drawn beside the input. */
  readonly children?: ReactNode
}

/** A labelled input that keeps its value to itself: it is read from the form when that is sent. */
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
          // As text: Preact takes an attribute away that is false.
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
