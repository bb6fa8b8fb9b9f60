import type { PanelOfPage } from '@svc/auth/client'
import type { ApiResult } from './api.ts'
import { make } from './dom.ts'
import { texts } from './page-texts.ts'

interface Loading<Body> {
  readonly panel: PanelOfPage
  readonly load: () => Promise<ApiResult<Body>>
  readonly draw: (body: Body) => HTMLElement
}

const LINES = 6

/**
 * Loads content into an element: placeholders first, the content, or an error with a retry. What is
 * shown stays until the next content is there; of several answers, the latest request counts.
 *
 * @returns A function that loads it again.
 */
export function loadInto<Body>(
  place: HTMLElement,
  { panel, load, draw }: Loading<Body>,
): () => Promise<void> {
  let latest = 0

  async function reload(): Promise<void> {
    latest += 1
    const request = latest
    place.ariaBusy = 'true'
    const answer = await load()
    // The user has opened another page meanwhile, or asked for something else.
    if (request !== latest || !place.isConnected) return
    place.ariaBusy = 'false'
    if (answer.outcome === 'ok') place.replaceChildren(draw(answer.body))
    else place.replaceChildren(retryButton())
    panel.showProblem(answer.outcome === 'ok' ? null : answer.problem)
  }

  function retryButton(): HTMLElement {
    const button = make('button', { type: 'button', 'data-svc-part': 'retry' }, texts.retry)
    button.addEventListener('click', () => {
      // The button disappears; the focus stays in its place.
      place.focus()
      place.replaceChildren(skeleton())
      void reload()
    })
    return button
  }

  place.tabIndex = -1
  place.replaceChildren(skeleton())
  void reload()
  return reload
}

function skeleton(): HTMLElement {
  const lines = Array.from({ length: LINES }, () => make('span'))
  return make('div', { 'data-svc-part': 'skeleton', 'aria-hidden': 'true' }, ...lines)
}
