import { make } from './dom.ts'

/** A control with its label and its error, styled like the panel. */
export interface Field {
  /** Element for the form. */
  readonly element: HTMLElement
  /** Shows an error; `null` removes it. */
  showError(message: string | null): void
}

export interface FieldText {
  readonly label: string
  readonly hint?: string
}

/**
 * Labels a control.
 *
 * @param control Its `id` is also the name of the field on the server.
 */
export function fieldOf(
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  { label, hint }: FieldText,
): Field {
  const { id } = control
  control.name = id
  control.dataset['svcPart'] = 'input'
  const error = make('p', { id: `${id}-error`, 'data-svc-part': 'field-error' })
  const hints =
    hint === undefined ? [] : [make('p', { id: `${id}-hint`, 'data-svc-part': 'hint' }, hint)]
  const name = make('label', { for: id, 'data-svc-part': 'label' }, label)
  const frame = make('div', { 'data-svc-part': 'control' }, control)
  const element = make('div', { 'data-svc-part': 'field' })

  function showError(message: string | null): void {
    const errors = message === null ? [] : [error]
    error.textContent = message
    name.after(...errors)
    if (message === null) error.remove()
    control.ariaInvalid = message === null ? null : 'true'
    const described = [...errors, ...hints].map(({ id }) => id).join(' ')
    if (described === '') control.removeAttribute('aria-describedby')
    else control.setAttribute('aria-describedby', described)
  }

  element.append(name, frame, ...hints)
  showError(null)
  return { element, showError }
}
