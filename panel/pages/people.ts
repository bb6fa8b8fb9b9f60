import type { HostPage, PanelOfPage } from '@svc/auth/client'
import { findPeople, invitePerson, type PeoplePage } from './api.ts'
import { make } from './dom.ts'
import { fieldOf } from './form-field.ts'
import { formOf } from './form.ts'
import { loadInto } from './load-into.ts'
import { countOf, filled, texts } from './page-texts.ts'
import { rowOf } from './person-row.ts'

/** Page with the users of the panel, and the form that invites another. */
export const people: HostPage = {
  path: '/people',
  title: texts.people,
  show(element, panel) {
    const place = make('div')
    const search = make('input', { id: 'search', type: 'search', autocomplete: 'off', dir: 'auto' })
    let page = 1
    let isTurned = false
    const reload = loadInto(place, {
      panel,
      load: async () => findPeople(panel.session, { text: search.value, page }),
      draw: (found) => listOf(found, panel, { page, isTurned, text: search.value, turn }),
    })

    function turn(to: number): void {
      page = to
      isTurned = true
      // The pressed button disappears, and the list begins far above it.
      place.focus()
      place.scrollIntoView()
      void reload()
    }

    search.addEventListener('input', () => {
      page = 1
      isTurned = false
      void reload()
    })
    const invite = invitation(panel, reload)
    const bar = make('div', { class: 'panel-bar' })
    bar.append(fieldOf(search, { label: texts.search }).element, invite.button)
    element.append(bar, invite.card, place)
  },
}

interface ShownPage {
  readonly page: number
  /** `true` if the user has come from another page of the list. */
  readonly isTurned: boolean
  readonly text: string
  readonly turn: (to: number) => void
}

function listOf(found: PeoplePage, panel: PanelOfPage, shown: ShownPage): HTMLElement {
  const { data, total, pages } = found
  if (total === 0) {
    const message = shown.text === '' ? texts.nobody : filled(texts.noMatch, { text: shown.text })
    panel.announce(message)
    return make('p', { class: 'panel-empty' }, message)
  }
  const count = countOf(total)
  const where = filled(texts.page, { page: shown.page, pages })
  if (shown.isTurned) panel.announce(where)
  else if (shown.text !== '') panel.announce(count)
  const rows = data.map((person) => rowOf(person, panel))
  const list = make('ul', { class: 'panel-people', role: 'list', 'aria-label': count }, ...rows)
  const counted = make('p', { class: 'svc-intro', 'aria-hidden': 'true' }, count)
  return make('div', {}, counted, list, ...(pages > 1 ? [paging(pages, shown, where)] : []))
}

function paging(pages: number, { page, turn }: ShownPage, where: string): HTMLElement {
  const steps = [
    { label: texts.previous, to: page - 1 },
    { label: texts.next, to: page + 1 },
  ]
    .filter(({ to }) => to >= 1 && to <= pages)
    .map(({ label, to }) => {
      const button = make('button', { type: 'button', 'data-svc-part': 'secondary' }, label)
      button.addEventListener('click', () => turn(to))
      return button
    })
  return make(
    'nav',
    { class: 'panel-paging', 'aria-label': texts.paging },
    ...steps,
    make('p', {}, where),
  )
}

/** Creates the form that invites a person, in a card that its button opens. */
function invitation(panel: PanelOfPage, onDone: () => Promise<void>) {
  const typed = { autocomplete: 'off', required: '' }
  const name = make('input', { ...typed, id: 'name', dir: 'auto' })
  const email = make('input', { ...typed, id: 'email', type: 'email', dir: 'ltr' })
  const form = formOf({
    fields: {
      name: fieldOf(name, { label: texts.name }),
      email: fieldOf(email, { label: texts.email, hint: texts.inviteHint }),
    },
    panel,
    submit: async (person) => invitePerson(panel.session, person),
    onDone: () => void onDone(),
    texts: {
      button: texts.invite,
      busy: texts.inviting,
      done: (person) => filled(texts.invited, { name: person.name }),
    },
  })
  const card = make('section', { id: 'invitation', class: 'panel-card', hidden: '' })
  card.append(make('h2', {}, texts.inviteTitle), form)
  const button = make('button', { type: 'button', 'data-svc-part': 'submit' }, texts.openInvite)
  button.setAttribute('aria-controls', card.id)
  button.ariaExpanded = 'false'
  button.addEventListener('click', ({ detail }) => {
    // The second click of a double click repeats what the first has done.
    const isOpening = (button.ariaExpanded === 'true') === detail > 1
    card.toggleAttribute('hidden', !isOpening)
    button.ariaExpanded = String(isOpening)
    if (isOpening) name.focus()
  })
  return { button, card }
}
