import { fakeBrowser } from '../client/fake-browser.ts'
import type { FakeBell } from '../client/fake-bell.ts'
import { ada, eventually, one, openPanel, settled } from './open-panel.tsx'

/** The panel of Ada with these notifications, newest last. */
export async function withBell(send: (bell: FakeBell) => void = () => {}, locale = 'en') {
  const browser = fakeBrowser()
  const panel = await openPanel({ user: ada, locale, prepare: ({ bell }) => send(bell) })
  await settled()
  return { ...panel, browser }
}

/** The same, and the list is open. */
export async function withList(send?: (bell: FakeBell) => void, locale?: string) {
  const panel = await withBell(send, locale)
  await press()
  await eventually(() => one('[data-svc-part=bell-list]:not([aria-busy])'))
  await settled()
  return panel
}

export const bellButton = () => one('[data-svc-part=bell-button]')

export const dialog = () => one('dialog')

export const rows = () => [...document.querySelectorAll<HTMLElement>('[data-svc-part=bell-row]')]

export const item = (index: number) => partOf(index, 'bell-item')

export const names = () => rows().map((_, index) => item(index).textContent)

export function partOf(row: number, part: string): HTMLElement {
  const found = rows()[row]?.querySelector<HTMLElement>(`[data-svc-part=${part}]`)
  if (!found) throw new Error(`row ${row} has no ${part}`)
  return found
}

export async function press(): Promise<void> {
  bellButton().click()
  await settled()
}
