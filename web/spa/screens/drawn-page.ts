import type { HostPage, PanelOfPage } from '../../client/client.ts'
import { hasChosenToLeave } from '../../react/parts/chosen-to-leave.ts'
import { hasUnsavedInput, keepInput } from '../../react/parts/unsaved-input.ts'

/** A page that the host has drawn into an element of its own. */
interface DrawnPage {
  readonly element: HTMLElement
  readonly userId: string
  readonly isBroken: boolean
  /** The panel around it, which is another one after the login. */
  readonly around: { panel: PanelOfPage }
  /** Cleans up after the host. Reports its error: nobody needs the message any more. */
  readonly takeAway: () => void
}

/** Draws a page into an element inside the given place. */
export function drawPage(
  page: HostPage,
  place: HTMLElement,
  userId: string,
  panel: PanelOfPage,
): DrawnPage {
  const element = document.createElement('div')
  element.className = 'svc-host-page'
  if (page.lang !== undefined) element.lang = page.lang
  // Before it is drawn: a page may focus and measure what it renders.
  place.append(element)
  const around = { panel }
  let takeAway: ReturnType<HostPage['show']>
  const isBroken = !succeeds(page, () => {
    takeAway = page.show(element, panelFor(element, around))
  })
  return {
    element,
    userId,
    isBroken,
    around,
    takeAway: () => void succeeds(page, () => takeAway?.()),
  }
}

/** Returns the panel as the page sees it. A page that is not shown has nothing to say. */
function panelFor(element: HTMLElement, around: DrawnPage['around']): PanelOfPage {
  return {
    ...around.panel,
    announce(message) {
      if (element.isConnected) around.panel.announce(message)
    },
    showProblem(problem) {
      if (element.isConnected) around.panel.showProblem(problem)
    },
  }
}

function succeeds(page: HostPage, act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    console.error(`spa.pages: the page ${page.path} failed`, error)
    return false
  }
}

/** Removes a page. */
export function removePage({ element, takeAway }: DrawnPage): void {
  takeAway()
  element.replaceChildren()
}

interface KeptPage {
  readonly drawn: DrawnPage
  readonly stop: () => void
}

/** Pages outside of the document, until their user has logged in again. */
const kept = new WeakMap<HostPage, KeptPage>()

/**
 * Keeps a page with unsaved input when the session of its user has ended by itself, as after a
 * pause, or in another tab: the user continues where they were. A logout here, or the login of
 * another user, removes it.
 *
 * @returns `true` if it is kept.
 */
export function keepForReturn(page: HostPage, drawn: DrawnPage): boolean {
  const { session } = drawn.around.panel
  if (hasChosenToLeave(session) || !hasUnsavedInput(drawn.element)) return false
  const unsubscribe = session.subscribe(() => {
    const now = session.getState()
    const isReturn = now.state === 'ready' && now.user.id === drawn.userId
    if (isReturn || !hasChosenToLeave(session)) return
    forget(page)
    removePage(drawn)
  })
  const loseInput = keepInput(drawn.element)
  const stop = () => {
    unsubscribe()
    loseInput()
  }
  kept.set(page, { drawn, stop })
  return true
}

/** Shows the page that was kept for a user again. Returns `null` if no page was kept. */
export function takeKept(
  page: HostPage,
  place: HTMLElement,
  userId: string,
  panel: PanelOfPage,
): DrawnPage | null {
  const drawn = forget(page)
  if (drawn === null) return null
  if (drawn.userId === userId && drawn.around.panel.session === panel.session) {
    drawn.around.panel = panel
    place.append(drawn.element)
    return drawn
  }
  removePage(drawn)
  return null
}

function forget(page: HostPage): DrawnPage | null {
  const { drawn, stop } = kept.get(page) ?? { drawn: null, stop: () => {} }
  stop()
  kept.delete(page)
  return drawn
}
