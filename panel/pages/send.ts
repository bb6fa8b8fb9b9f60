import type { HostPage, PanelOfPage } from '@svc/auth/client'
import { readPeople, sendNotification, type NamedPerson } from './api.ts'
import { make } from './dom.ts'
import { fieldOf } from './form-field.ts'
import { formOf } from './form.ts'
import { loadInto } from './load-into.ts'
import { filled, texts } from './page-texts.ts'

/** Page with the form that sends a notification to a user's bell. */
export const send: HostPage = {
  path: '/send',
  title: texts.sendTitle,
  show(element, panel) {
    const place = make('div', { class: 'panel-card' })
    element.append(place)
    loadInto(place, {
      panel,
      load: async () => readPeople(panel.session),
      draw: ({ data }) => form(data, panel),
    })
  },
}

function form(people: readonly NamedPerson[], panel: PanelOfPage): HTMLElement {
  return formOf({
    fields: fieldsFor(people),
    panel,
    submit: async (sending) => sendNotification(panel.session, sending),
    texts: {
      button: texts.send,
      busy: texts.sending,
      done: ({ to }) => filled(texts.sent, { name: nameOf(people.find(({ id }) => id === to)) }),
    },
  })
}

function nameOf(person: NamedPerson | undefined): string {
  return person?.name ?? person?.email ?? ''
}

function fieldsFor(people: readonly NamedPerson[]) {
  const nobody = make('option', { value: '' }, texts.choose)
  const options = people.map(({ id, name, email }) => {
    const person = name === null ? email : filled('{{name}} ({{email}})', { name, email })
    return make('option', { value: id, translate: 'no' }, person)
  })
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
