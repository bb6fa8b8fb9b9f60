import type { HostPage } from '@svc/auth/client'
import type { Person } from './api.ts'
import { make } from './dom.ts'
import { countOf, texts } from './page-texts.ts'
import { withPeople } from './with-people.ts'

/** Page with the users of the panel. */
export const people: HostPage = {
  path: '/people',
  title: texts.people,
  show(element, panel) {
    withPeople(element, panel, table)
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
