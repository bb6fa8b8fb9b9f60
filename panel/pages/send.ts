import type { HostPage, PanelOfPage } from '@svc/auth/client'
import { sendNotification, type Person } from './api.ts'
import { make } from './dom.ts'
import { fieldOf } from './form-field.ts'
import { formOf } from './form.ts'
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

function form(people: readonly Person[], panel: PanelOfPage): HTMLElement {
  return formOf({
    fields: fieldsFor(people),
    panel,
    submit: async (sending) => sendNotification(panel.session, sending),
    texts: { button: texts.send, busy: texts.sending, done: texts.sent },
  })
}

function fieldsFor(people: readonly Person[]) {
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
