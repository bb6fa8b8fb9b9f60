import { moveWithoutRefresh, refresh, type Machine } from './session-machine.ts'
import type { PanelMessage } from './panel-channel.ts'
import { isAt, stateAfterLogout } from './panel-state.ts'
import { followPasswordLink } from './password-actions.ts'
import { onReturn } from '../on-return.ts'
import { watchCode, watchVerification } from './expiry-watch.ts'

/** Starts the session unless it is started. @returns Stops it with the last of its starters. */
export function start(machine: Machine): () => void {
  // A server has no visitor, and a timer would keep its process alive.
  if (typeof document === 'undefined') return () => {}
  const starter = {}
  if (machine.starters.size === 0) machine.stop = follow(machine)
  machine.starters.add(starter)
  return () => {
    if (machine.starters.delete(starter) && machine.starters.size === 0) machine.stop()
  }
}

/** Requests the user, then follows the other tabs, the browser and the clock. @returns Stops it. */
function follow(machine: Machine): () => void {
  const stops = [
    machine.channel.listen((message) => onMessage(machine, message)),
    listen('pageshow', (event) => onPageShow(machine, event)),
    onReturn(() => recheck(machine)),
    listen('hashchange', () => followPasswordLink(machine)),
    listen('online', () => {
      if (machine.state.state === 'unreachable') void refresh(machine)
    }),
    watchCode(machine),
    watchVerification(machine),
  ]
  const { state } = machine
  if (state.state === 'booting' && state.link === 'verified') machine.channel.send('verified')
  void refresh(machine)
  return () => {
    for (const stop of stops) stop()
  }
}

function listen<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): () => void {
  globalThis.addEventListener(name, listener)
  return () => globalThis.removeEventListener(name, listener)
}

function onPageShow(machine: Machine, { persisted }: PageTransitionEvent): void {
  if (!persisted) return
  if (hasSession(machine)) machine.reveal ??= hidePage()
  void refresh(machine)
}

/** A page that is hidden for longer needs a sign of loading, which the style sheet draws. */
const BLANK_MS = 300

/**
 * Hides a page from the back/forward cache, which must not show an expired session. It is not
 * removed: the user who returns finds what they have typed. @returns A function that shows it.
 */
function hidePage(): () => void {
  const { documentElement, body, activeElement } = document
  const { opacity } = body.style
  documentElement.style.visibility = 'hidden'
  // A style of the host may make a part of its page visible, as the class `visible` of Tailwind.
  body.style.opacity = '0'
  const timer = setTimeout(() => documentElement.toggleAttribute('data-svc-hidden', true), BLANK_MS)
  return () => {
    clearTimeout(timer)
    documentElement.removeAttribute('data-svc-hidden')
    documentElement.style.visibility = ''
    body.style.opacity = opacity
    if (activeElement instanceof HTMLElement) activeElement.focus()
  }
}

/** Refreshes a tab that becomes visible: its session, wait or outage may have ended meanwhile. */
function recheck(machine: Machine): void {
  // The first request is on its way: another one would take its place.
  if (machine.state.state !== 'booting' && hasSession(machine)) void refresh(machine)
}

/** Returns `false` if the tab shows nothing of a session. */
function hasSession({ state: { state } }: Machine): boolean {
  return state !== 'guest' && state !== 'password'
}

function onMessage(machine: Machine, message: PanelMessage): void {
  switch (message) {
    case 'logged-in':
      void refresh(machine, 'user')
      return
    case 'logged-out':
      if (hasSession(machine))
        moveWithoutRefresh(machine, stateAfterLogout(machine.state, 'logged_out_elsewhere'))
      return
    case 'session-ended':
      if (hasSession(machine)) void refresh(machine, 'nobody')
      return
    case 'verified':
      if (isAt(machine.state, 'email')) void refresh(machine)
      return
    case 'two-factor-changed':
      if (isAt(machine.state, 'two-factor')) void refresh(machine)
      return
    case 'account-changed':
    case 'notification-read':
    // The Security page and the bell handle these messages.
  }
}
