import type { HostPage, PanelOfPage } from '@svc/auth/client'
import { invitePerson, type Person } from './api.ts'
import { make } from './dom.ts'
import { fieldOf } from './form-field.ts'
import { formOf } from './form.ts'
import { countOf, texts } from './page-texts.ts'
import { withPeople } from './with-people.ts'

/** Page with the users of the panel, and the form that invites another. */
export const people: HostPage = {
  path: '/people',
  title: texts.people,
  show(element, panel) {
    const list = make('div')
    const show = () => withPeople(list, panel, table)
    element.append(list, invitation(panel, show))
    show()
  },
}

function table(people: readonly Person[]): HTMLElement {
  const heads = [texts.name, texts.email].map((head) => make('th', { scope: 'col' }, head))
  return make(
    'table',
    { class: 'panel-table' },
    make('caption', {}, countOf(people.length)),
    make('thead', {}, make('tr', {}, ...heads)),
    make('tbody', {}, ...people.map(row)),
  )
}

function row({ name, email }: Person): HTMLElement {
  const named = make('bdi', { translate: 'no' }, name ?? '–')
  const address = make('bdi', { dir: 'ltr', translate: 'no' }, email)
  return make('tr', {}, make('th', { scope: 'row' }, named), make('td', {}, address))
}

function invitation(panel: PanelOfPage, onDone: () => void): HTMLElement {
  const typed = { autocomplete: 'off', required: '' }
  const email = make('input', { ...typed, id: 'email', type: 'email', dir: 'ltr' })
  const form = formOf({
    fields: {
      name: fieldOf(make('input', { ...typed, id: 'name', dir: 'auto' }), { label: texts.name }),
      email: fieldOf(email, { label: texts.email, hint: texts.inviteHint }),
    },
    panel,
    submit: async (person) => invitePerson(panel.session, person),
    onDone,
    texts: { button: texts.invite, busy: texts.inviting, done: texts.invited },
  })
  return make('section', { class: 'panel-section' }, make('h2', {}, texts.inviteTitle), form)
}
