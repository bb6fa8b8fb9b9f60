import type { PanelOfPage } from '@svc/auth/client'
import { actAs, type Person } from './api.ts'
import { make } from './dom.ts'
import { filled, locale, texts } from './page-texts.ts'

/** Creates the row of a person: initials, name and email, states in words, the last login. */
export function rowOf(person: Person, panel: PanelOfPage): HTMLElement {
  const { name, email, lastLogin } = person
  const who = make('div', { class: 'panel-who' })
  if (name !== null) who.append(make('bdi', { translate: 'no' }, name))
  who.append(make('bdi', { dir: 'ltr', translate: 'no' }, email))
  const row = make('li')
  row.append(
    make('span', { class: 'panel-initials', 'aria-hidden': 'true' }, initialsOf(name ?? email)),
    who,
    statesOf(person),
    make('p', { class: 'panel-login' }, lastLogin === null ? texts.never : sinceOf(lastLogin)),
    person.mayActAs ? actAsButton(person, panel) : '',
  )
  return row
}

function statesOf({ emailVerified, secondFactor }: Person): HTMLElement {
  const states = make('div', { class: 'panel-states' })
  states.append(stateOf(emailVerified, texts.verified, texts.unverified))
  if (secondFactor !== null) states.append(stateOf(secondFactor, texts.factorOn, texts.factorOff))
  return states
}

function stateOf(isOn: boolean, on: string, off: string): HTMLElement {
  const state = isOn ? 'on' : 'off'
  return make('span', { 'data-svc-part': 'mark', 'data-state': state }, isOn ? on : off)
}

function sinceOf(instant: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  return filled(texts.lastLogin, { when: format.format(new Date(instant)) })
}

/** A word may begin with a quote, a bracket or a mark of its direction, or have no letter. */
const LETTER = /[\p{L}\p{N}]\p{M}*/u

/** Returns the first letters of the first and the last word. */
function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => LETTER.exec(word) ?? [])
  const shown = letters.length > 1 ? [letters[0], letters.at(-1)] : letters
  return shown.join('').toLocaleUpperCase(locale)
}

/** Creates the button by which the user acts as a person, and sees the panel as they do. */
function actAsButton(person: Person, panel: PanelOfPage): HTMLElement {
  const label = filled(texts.actAsPerson, { name: person.name ?? person.email })
  const attributes = { type: 'button', 'data-svc-part': 'secondary', 'aria-label': label }
  const button = make('button', attributes, texts.actAs)
  async function send(): Promise<void> {
    panel.showProblem(null)
    button.ariaBusy = 'true'
    const answer = await actAs(panel.session, person)
    // Stays busy until that page loads: the session that has begun may not act as anybody else.
    if (answer.outcome === 'ok') return location.assign('/admin/main')
    button.ariaBusy = 'false'
    panel.showProblem(answer.problem)
  }
  button.addEventListener('click', () => {
    if (button.ariaBusy !== 'true') void send()
  })
  return button
}
