import { useCallback, useRef, useState } from 'react'
import type { RefObject } from 'react'

export interface FormState<State> {
  readonly form: State
  /** What is drawn lags behind: two quick presses must not both find the form idle. */
  readonly current: RefObject<State>
  readonly moveTo: (next: State) => State
}

/** Where a form rests, known at once to whoever asks and drawn soon after. */
export function useFormState<State>(initial: State): FormState<State> {
  const [form, setForm] = useState(initial)
  const current = useRef(form)
  const moveTo = useCallback((next: State) => {
    current.current = next
    setForm(next)
    return next
  }, [])
  return { form, current, moveTo }
}
