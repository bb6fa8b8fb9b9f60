import type { RefObject } from 'react'
import { useFieldId } from './element-id.ts'

export interface CheckboxProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly input?: RefObject<HTMLInputElement | null>
}

/** Renders a labelled, uncontrolled checkbox: the form reads it on submit. */
export function Checkbox({ name, label, hint, input }: CheckboxProps) {
  const id = useFieldId(name)
  const hintId = `${id}-hint`
  return (
    <div data-svc-part="checkbox-field">
      <input
        id={id}
        ref={input}
        type="checkbox"
        name={name}
        data-svc-part="checkbox"
        aria-describedby={hintId}
      />
      <label htmlFor={id}>{label}</label>
      <p id={hintId} data-svc-part="hint">
        {hint}
      </p>
    </div>
  )
}
