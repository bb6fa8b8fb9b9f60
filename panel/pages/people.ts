import type { HostPage, PanelOfPage } from '@svc/auth/client'
import { actAs, invitePerson, type Person } from './api.ts'
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
    const show = () => withPeople(list, panel, (people) => table(people, panel))
    element.append(list, invitation(panel, show))
    show()
  },
}

function table(people: readonly Person[], panel: PanelOfPage): HTMLElement {
  const canActAs = people.some(({ mayActAs }) => mayActAs)
  const heads = [texts.name, texts.email, ...(canActAs ? [texts.actAs] : [])].map((head) =>
    make('th', { scope: 'col' }, head),
  )
  return make(
    'table',
    { class: 'panel-table' },
    make('caption', {}, countOf(people.length)),
    make('thead', {}, make('tr', {}, ...heads)),
    make('tbody', {}, ...people.map((person) => row(person, canActAs, panel))),
  )
}

function row(person: Person, canActAs: boolean, panel: PanelOfPage): HTMLElement {
  const { name, email, mayActAs = false } = person
  const named = make('bdi', { translate: 'no' }, name ?? '–')
  const address = make('bdi', { dir: 'ltr', translate: 'no' }, email)
  const cells = [make('th', { scope: 'row' }, named), make('td', {}, address)]
  if (canActAs) cells.push(make('td', {}, ...(mayActAs ? [actAsButton(person, panel)] : [])))
  return make('tr', {}, ...cells)
}

/** Creates the button by which the user acts as a person, and sees the panel as they do. */
function actAsButton(person: Person, panel: PanelOfPage): HTMLElement {
  const label = texts.actAsPerson.replace('{{name}}', person.name ?? person.email)
  const attributes = { type: 'button', 'data-svc-part': 'secondary', 'aria-label': label }
  const button = make('button', attributes, texts.actAs)
  button.addEventListener('click', () => {
    void (async () => {
      panel.showProblem(null)
      const answer = await actAs(panel.session, person)
      if (answer.outcome === 'refused') panel.showProblem(answer.problem)
      else location.assign('/admin/main')
    })()
  })
  return button
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
