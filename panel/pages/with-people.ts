import type { PanelOfPage } from '@svc/auth/client'
import { readPeople, type Person } from './api.ts'
import { make } from './dom.ts'
import { texts } from './page-texts.ts'

/**
 * Loads the users into an element, with states for loading, an empty list, a failure with a retry,
 * and success.
 */
export function withPeople(
  element: HTMLElement,
  panel: PanelOfPage,
  draw: (people: readonly Person[]) => HTMLElement,
): void {
  const place = make('div', { tabindex: '-1', 'aria-busy': 'true' })
  place.append(make('p', { class: 'svc-intro' }, texts.loading))
  element.replaceChildren(place)

  async function load(): Promise<void> {
    place.setAttribute('aria-busy', 'true')
    const answer = await readPeople(panel.session)
    place.setAttribute('aria-busy', 'false')
    // The user has opened another page meanwhile.
    if (!place.isConnected) return
    if (answer.outcome === 'refused') {
      place.replaceChildren(retryButton())
      panel.showProblem(answer.problem)
      return
    }
    const { body: people } = answer
    place.replaceChildren(people.length === 0 ? nobody() : draw(people))
  }

  function retryButton(): HTMLElement {
    const button = make('button', { type: 'button', 'data-svc-part': 'retry' }, texts.retry)
    button.addEventListener('click', () => {
      // The button disappears; the focus stays in its place.
      place.focus()
      place.replaceChildren(make('p', { class: 'svc-intro' }, texts.loading))
      panel.showProblem(null)
      void load()
    })
    return button
  }

  void load()
}

function nobody(): HTMLElement {
  return make('p', { class: 'svc-intro' }, texts.nobody)
}
