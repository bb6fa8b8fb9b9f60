import type { PanelOfPage } from '@svc/auth/client'
import { readPeople, type Person } from './api.ts'
import { make } from './dom.ts'

/**
 * Loads the users into an element, with states for loading, an empty list, a failure with a retry,
 * and success.
 */
export function withPeople(
  element: HTMLElement,
  panel: PanelOfPage,
  draw: (people: readonly Person[]) => HTMLElement,
): void {
  // These pages are in English, which runs left to right in a panel of any language.
  const place = make('div', { dir: 'ltr', tabindex: '-1', 'aria-busy': 'true' })
  place.append(make('p', { class: 'svc-intro' }, 'Loading…'))
  element.append(place)

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
    const button = make('button', { type: 'button', 'data-svc-part': 'retry' }, 'Try again')
    button.addEventListener('click', () => {
      // The button disappears; the focus stays in its place.
      place.focus()
      place.replaceChildren(make('p', { class: 'svc-intro' }, 'Loading…'))
      panel.showProblem(null)
      void load()
    })
    return button
  }

  void load()
}

function nobody(): HTMLElement {
  return make('p', { class: 'svc-intro' }, 'There is nobody here yet.')
}
