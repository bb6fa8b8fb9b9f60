import { vi } from 'vitest'
import { mountPanel } from '../../web/spa/mount-panel.tsx'
import type { PanelOptions } from '../../web/spa/panel-options.ts'
import { createPanelSession, takeLinkOutcome } from '../../web/client/client.ts'
import type { HostPage, PanelChannel, PanelSession } from '../../web/client/client.ts'
import { unsaved } from '../../web/react/parts/unsaved-input.ts'
import { fakeService } from '../client/fake-service.ts'
import type { FakeService } from '../client/fake-service.ts'

export const base = '/admin/main'
export const ada = { id: '1', name: 'Ada', email: 'ada@example.com', email_verified_at: null }

/** The panel as a person has it before them. */
export interface OpenPanel {
  readonly service: FakeService
  readonly session: PanelSession
}

export interface Opening {
  /** Address below the base. */
  readonly at?: string
  readonly user?: typeof ada | null
  readonly page?: Partial<PanelOptions>
  readonly pages?: Promise<readonly HostPage[]>
  readonly locale?: string
  /** Default: there are no other tabs. */
  readonly channel?: PanelChannel
  /** Before the first question is asked. */
  readonly prepare?: (service: FakeService) => void
}

const page: PanelOptions = {
  base,
  name: 'Acme Panel',
  themeMenu: 'shown',
  languageMenu: 'shown',
}

let close = () => {}

/** Opens the panel and waits until it knows who is here. */
export async function openPanel(opening: Opening = {}): Promise<OpenPanel> {
  const { at = '', user = null, locale = 'en', channel, prepare } = opening
  closePanel()
  history.replaceState(null, '', base + at)
  const service = fakeService()
  service.user = user
  prepare?.(service)
  const session = createPanelSession({
    client: service.client,
    link: takeLinkOutcome(),
    passwords: opening.page?.passwords ?? false,
    sessions: opening.page?.sessions ?? false,
    activity: opening.page?.activity ?? false,
    rememberDays: opening.page?.rememberDays ?? null,
    trustDays: opening.page?.trustDays ?? null,
    ...(channel && { channel }),
  })
  const container = document.body.appendChild(document.createElement('div'))
  const { pages } = opening
  const described = { ...page, ...opening.page, ...(pages && { pages }) }
  const unmount = mountPanel(container, { session, locale, ...described })
  close = () => {
    unmount()
    container.remove()
  }
  await eventually(() => one('h1'))
  await settled()
  return { service, session }
}

/** Waits until the check passes; a busy machine may need seconds. */
export async function eventually(check: () => unknown): Promise<void> {
  await vi.waitFor(check, { interval: 5, timeout: 10_000 })
}

/** Removes the panel from the page, and what it keeps for a return, as a reload does. */
export function closePanel(): void {
  close()
  close = () => {}
  unsaved.clear()
}

/** Closes the panel, and takes back the timers, the mocks and the globals of a test. For `afterEach`. */
export function closeAndRestore(): void {
  closePanel()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
}

/**
 * Lets effects run that come after what is drawn, and parts arrive that are loaded lazily, until nothing is drawn any
 * more. Counts turns of the event loop and not time: what follows from what is drawn takes a few of them, however busy
 * the machine is. Timers cost a millisecond each, so that only every third turn waits for those that are due.
 */
export async function settled(): Promise<void> {
  let quietTurns = 0
  const observer = new MutationObserver(() => (quietTurns = 0))
  observer.observe(document, {
    attributes: true,
    characterData: true,
    childList: true,
    subtree: true,
  })
  while (quietTurns < 6) {
    quietTurns += 1
    await nextTurn()
    if (quietTurns % 3 === 0) await vi.dynamicImportSettled()
  }
  observer.disconnect()
}

/** Stops the clock of countdowns. Preact waits for frames, which a clock that is wholly fake would swallow. */
export function stopCountdown(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] })
}

/** Asks the service again who is here, and waits for what follows. */
export async function refresh(session: PanelSession): Promise<void> {
  await session.refresh()
  await settled()
}

/** Lets time pass while the clock is not real. */
export async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
  await settled()
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** The one element of a selector. */
export function one(selector: string): HTMLElement {
  const [found, second] = document.querySelectorAll<HTMLElement>(selector)
  if (found === undefined) throw new Error(`nothing matches ${selector}`)
  if (second !== undefined) throw new Error(`more than one thing matches ${selector}`)
  return found
}

/** The input that a label of this text belongs to. */
export function field(label: string): HTMLInputElement {
  const owner = [...document.querySelectorAll('label')].find(
    ({ textContent }) => textContent === label,
  )
  const input = owner === undefined ? null : document.getElementById(owner.htmlFor)
  if (!(input instanceof HTMLInputElement)) throw new Error(`no field is labelled ${label}`)
  return input
}

/** The button of this name. */
export function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll('button')].find(
    (button) => (button.getAttribute('aria-label') ?? button.textContent) === name,
  )
  if (found === undefined) throw new Error(`no button is named ${name}`)
  return found
}

/** Presses the button of this name, and waits for what follows. */
export async function press(name: string): Promise<void> {
  button(name).click()
  await settled()
}

/** Returns the text that describes an element. */
export function described(element: HTMLElement): string {
  const ids = (element.getAttribute('aria-describedby') ?? '').split(' ')
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
}

/** Path, query and hash of the tab. */
export const address = () => location.pathname + location.search + location.hash

export const alertText = () => one('[role=alert]').textContent
export const statusText = () => one('[role=status]').textContent

/** Puts a value into a field as typing does. */
export function type(label: string, value: string): void {
  field(label).value = value
  field(label).dispatchEvent(new Event('input', { bubbles: true }))
}

/** Fills the form in and sends it. */
export async function logIn(email: string, password: string): Promise<void> {
  type('Email address', email)
  type('Password', password)
  await press('Log in')
}
