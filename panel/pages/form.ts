import type { PanelOfPage } from '@svc/auth/client'
import type { ApiResult } from './api.ts'
import { make } from './dom.ts'
import type { Field } from './form-field.ts'

interface FormParts<Name extends string> {
  /** The fields by the name that they have on the server, in their order. */
  readonly fields: Readonly<Record<Name, Field>>
  readonly panel: PanelOfPage
  readonly submit: (entered: Readonly<Record<Name, string>>) => Promise<ApiResult<unknown>>
  /** Called after the server has accepted. */
  readonly onDone?: () => void
  readonly texts: {
    readonly button: string
    readonly busy: string
    /** Returns what is said after the server has accepted. */
    readonly done: (entered: Readonly<Record<Name, string>>) => string
  }
}

/** Creates a form that shows each refusal at its field, and keeps what was entered. */
export function formOf<Name extends string>(parts: FormParts<Name>): HTMLFormElement {
  const { fields, panel, submit, onDone, texts } = parts
  const all: readonly [string, Field][] = Object.entries(fields)
  const button = make('button', { type: 'submit', 'data-svc-part': 'submit' }, texts.button)
  const note = make('p', { 'data-svc-part': 'note' })
  // Only the server validates, so that the rules have one home.
  const form = make('form', { class: 'panel-form', novalidate: '', method: 'post' })
  form.append(...all.map(([, { element }]) => element), button)

  async function send(): Promise<void> {
    // The names are those of `fields`, and no control is for files.
    const entered = Object.fromEntries(new FormData(form)) as Record<Name, string>
    note.remove()
    panel.announce('')
    setBusy(true)
    const answer = await submit(entered)
    setBusy(false)
    // The user has opened another page meanwhile.
    if (!form.isConnected) return
    const problem = answer.outcome === 'ok' ? null : answer.problem
    const problems = typeof problem === 'string' || problem === null ? [] : problem
    for (const [id, field] of all)
      field.showError(problems.find((one) => one.id === id)?.message ?? null)
    panel.showProblem(problem)
    if (problem !== null) return
    form.reset()
    // The focus stays in the form, ready for another entry.
    note.textContent = texts.done(entered)
    form.append(note)
    panel.announce(note.textContent)
    onDone?.()
  }

  function setBusy(busy: boolean): void {
    form.ariaBusy = String(busy)
    button.textContent = busy ? texts.busy : texts.button
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') void send()
  })
  return form
}
