import { expect, vi } from 'vitest'
import type { PanelChannel } from '../../web/client/client.ts'
import type { PanelMessage } from '../../web/client/session/panel-channel.ts'
import { CODE } from '../client/fake-service.ts'
import type { FakeService } from '../client/fake-service.ts'
import {
  ada,
  address,
  alertText,
  eventually,
  one,
  openPanel,
  press,
  settled,
  type,
} from './open-panel.tsx'

export const LABEL = 'Code shown by the app'

export const ON = { enabled: true, required: false, pending: false, codes_unseen: false }

export const FORCED = { enabled: false, required: true, pending: false, codes_unseen: false }

/** The session of this browser, and one on another device. */
export const HERE = {
  id: '5f2c8e01a9d4',
  current: true,
  created_at: '2026-11-20T09:30:00.000Z',
  last_seen_at: '2026-11-20T10:05:00.000Z',
  remembered_until: null,
  browser: 'Firefox',
  system: 'Linux',
  network: '203.0.113.x',
}
export const PHONE = {
  ...HERE,
  id: '0b77d31c52ee',
  current: false,
  browser: 'Safari',
  system: 'iOS',
  network: '2001:db8:12::/48',
}

export const CONFIRMED = 'two-factor.codes-seen'

export const warning = () => document.querySelector('[data-svc-part=warning]')

export interface Opening {
  readonly channel?: PanelChannel
  readonly factor?: FakeService['factor']
  readonly at?: string
  readonly prepare?: (service: FakeService) => void
}

export async function openSecurity(opening: Opening = {}) {
  const { factor, at = '/security', channel, prepare } = opening
  const opened = await openPanel({
    user: ada,
    at,
    page: { twoFactor: 'bound' },
    ...(channel && { channel }),
    prepare(service) {
      if (factor !== undefined) service.factor = factor
      prepare?.(service)
    },
  })
  await eventually(() => one('section:not([aria-busy])'))
  await settled()
  return opened
}

export async function openSetUp(opening?: Opening) {
  const opened = await openSecurity(opening)
  await press('Set up')
  await eventually(() => one('img'))
  return opened
}

export async function openCodes(opening?: Opening) {
  const opened = await openSetUp(opening)
  await enter(CODE)
  await headed('Save your recovery codes')
  await settled()
  return opened
}

export async function enter(code: string): Promise<void> {
  type(LABEL, code)
  await press('Turn on')
}

export async function acknowledge(): Promise<void> {
  one('[type=checkbox]').click()
  await settled()
}

export async function turnOff(): Promise<void> {
  await press('Turn off')
  one('[data-svc-part=danger]').click()
  await settled()
}

/** Waits until the alert says it. */
export async function told(message: string): Promise<void> {
  await eventually(() => expect(alertText()).toContain(message))
}

export async function marked(state: 'On' | 'Off'): Promise<void> {
  await eventually(() => expect(one('[data-svc-part=mark]').textContent).toBe(state))
}

export async function headed(title: string): Promise<void> {
  await eventually(() => expect(one('h1').textContent).toBe(title))
}

export async function isAt(wanted: string): Promise<void> {
  await eventually(() => expect(address()).toBe(wanted))
}

export function clipboard() {
  return vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
}

export const section = () => one('section')

export const key = () => one('[data-svc-part=set-up-key] code').textContent

export const shownCodes = () =>
  [...document.querySelectorAll('li')].map(({ textContent }) => textContent)

export function nameOf(element: HTMLElement): string | null | undefined {
  return document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent
}

/** A channel between tabs: what this tab has sent, and messages of another one. */
export function tabs() {
  const sent: PanelMessage[] = []
  const listeners = new Set<(message: PanelMessage) => void>()
  const channel: PanelChannel = {
    send: (message) => sent.push(message),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const receive = (message: PanelMessage) => {
    for (const listener of listeners) listener(message)
  }
  return { channel, sent, receive }
}
