import { useCallback, useRef, useState, type RefObject } from 'react'

export interface FormState<State> {
  readonly form: State
  /**
   * A ref, because the rendered state lags behind: a quick second press must not find the form
   * idle.
   */
  readonly current: RefObject<State>
  readonly moveTo: (next: State) => State
}

/** Keeps a form's state: readable at once, rendered soon after. */
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
