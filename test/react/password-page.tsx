import type { PanelOptions } from '../../web/spa/panel-options.ts'
import { base, eventually, one, openPanel, settled } from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'
import { expect } from 'vitest'

/** The panel of a service that resets and changes passwords. */
export async function openBound({ page, ...opening }: Opening = {}) {
  const bound: Partial<PanelOptions> = { ...page, passwords: true }
  const opened = await openPanel({ ...opening, page: bound })
  await settled()
  return opened
}

export const EMAIL = 'ada@example.com'
export const NEW_PASSWORD = 'seven green boats sail home'

/** The address of a link, as a mail has it. */
export function linkAt(path: '/reset-password' | '/choose-password', token = 't0ken'): string {
  return `${path}#token=${token}&email=${encodeURIComponent(EMAIL)}`
}

/** Waits for a screen by its heading. */
export async function sees(heading: string): Promise<void> {
  await eventually(() => expect(one('h1').textContent).toBe(heading))
  await settled()
}

export const LOGIN = `${base}/login`
