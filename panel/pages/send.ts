import type { FieldProblem, HostPage, PanelOfPage } from '@svc/auth/client'
import { sendNotification, type Person, type Sending } from './api.ts'
import { make } from './dom.ts'
import { fieldOf, type Field } from './form-field.ts'
import { texts } from './page-texts.ts'
import { withPeople } from './with-people.ts'

/** Page with the form that sends a notification to a user's bell. */
export const send: HostPage = {
  path: '/send',
  title: texts.sendTitle,
  show(element, panel) {
    withPeople(element, panel, (people) => form(people, panel))
  },
}

type Fields = Readonly<Record<keyof Sending, Field>>

function form(people: readonly Person[], panel: PanelOfPage): HTMLElement {
  const fields = fieldsFor(people)
  const button = make('button', { type: 'submit', 'data-svc-part': 'submit' }, texts.send)
  const note = make('p', { 'data-svc-part': 'note' }, texts.sent)
  // Only the server validates, so that the rules have one home.
  const form = make('form', { class: 'panel-form', novalidate: '', method: 'post' })
  form.append(...Object.values(fields).map(({ element }) => element), button)

  async function submit(): Promise<void> {
    const sending = sendingOf(new FormData(form))
    note.remove()
    panel.announce('')
    setBusy(true)
    const answer = await sendNotification(panel.session, sending)
    setBusy(false)
    // The user has opened another page meanwhile.
    if (!form.isConnected) return
    const problem = answer.outcome === 'ok' ? null : answer.problem
    showErrors(fields, typeof problem === 'string' || problem === null ? [] : problem)
    panel.showProblem(problem)
    if (problem !== null) return
    form.reset()
    // The focus stays in the form, ready for another notification.
    form.append(note)
    panel.announce(texts.sent)
  }

  function setBusy(busy: boolean): void {
    form.ariaBusy = String(busy)
    button.textContent = busy ? texts.sending : texts.send
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') void submit()
  })
  return form
}

function fieldsFor(people: readonly Person[]): Fields {
  const nobody = make('option', { value: '' }, texts.choose)
  const options = people.map(({ id, name, email }) =>
    make('option', { value: id, translate: 'no' }, name === null ? email : `${name} (${email})`),
  )
  const written = { autocomplete: 'off', dir: 'auto' }
  return {
    to: fieldOf(make('select', { id: 'to', required: '' }, nobody, ...options), {
      label: texts.to,
    }),
    title: fieldOf(make('input', { ...written, id: 'title', required: '' }), {
      label: texts.title,
    }),
    body: fieldOf(make('textarea', { ...written, id: 'body', rows: '3' }), {
      label: texts.body,
    }),
    url: fieldOf(make('input', { id: 'url', autocomplete: 'off', dir: 'ltr', inputmode: 'url' }), {
      label: texts.address,
      hint: texts.addressHint,
    }),
  }
}

function showErrors(fields: Fields, problems: readonly FieldProblem[]): void {
  for (const [id, field] of Object.entries(fields)) {
    field.showError(problems.find((problem) => problem.id === id)?.message ?? null)
  }
}

function sendingOf(entered: FormData): Sending {
  const entry = (name: keyof Sending): string => {
    const value = entered.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { to: entry('to'), title: entry('title'), body: entry('body'), url: entry('url') }
}
