import { describe, expect, it } from 'vitest'
import { brokenPromises, type Bell, type Event, type LoginEvent, type Span } from './checker.ts'

const KEY = { account: 'ada', network: 'home' } as const

/** From one second to another. */
const during = (from: number, to = from): Span => ({ began: from * 1000, ended: to * 1000 + 500 })

const guess = (from: number, to = from): LoginEvent => ({
  kind: 'login',
  ...KEY,
  ...during(from, to),
  outcome: 'failed',
  session: null,
})
const login = (session: string, from: number, to = from): LoginEvent => ({
  ...guess(from, to),
  outcome: 'ok',
  session,
})
const logout = (session: string, from: number, to = from): Event => ({
  kind: 'logout',
  session,
  ...during(from, to),
})
const use = (session: string, outcome: 'ok' | 'guest', from: number, to = from): Event => ({
  kind: 'use',
  session,
  outcome,
  ...during(from, to),
})
const enable = (secret: string, outcome: 'enabled' | 'refused'): Event => ({
  kind: 'enable',
  secret,
  outcome,
  ...during(1),
})
const notify = (account: string): Event => ({ kind: 'notify', account, ...during(1) })

const broken = (events: readonly Event[], bells: readonly Bell[] = []) =>
  brokenPromises({ events, bells, maxGuesses: 5 })

describe('Violations in a history of guesses', () => {
  const six = [0, 1, 2, 3, 4, 5].map((second) => guess(second))

  it('include a sixth guess that was evaluated', () => {
    expect(broken(six)).toEqual(['6 guesses at ada from home were evaluated in one window'])
  })

  it('exclude guesses that were refused unevaluated', () => {
    expect(broken([...six.slice(1), { ...guess(0), outcome: 'throttled' }])).toEqual([])
  })

  it('exclude guesses from another network or at another account', () => {
    expect(broken([...six.slice(1), { ...guess(0), network: 'work' }])).toEqual([])
    expect(broken([...six.slice(1), { ...guess(0), account: 'bea' }])).toEqual([])
  })

  it('exclude guesses after a success, even a possible one', () => {
    expect(broken([...six.slice(0, 3), login('s', 2, 3), ...six.slice(3)])).toEqual([])
    expect(broken([guess(-9, 9), login('s', 8), ...six.slice(1)])).toEqual([])
  })

  it('include the sixth guess after a success', () => {
    expect(broken([guess(-3), login('s', -2), ...six])).toHaveLength(1)
  })
})

describe('Violations in a history of sessions', () => {
  it('include a use after a confirmed logout', () => {
    expect(broken([login('s', 0), logout('s', 1), use('s', 'ok', 2)])).toEqual([
      's was used after its logout was confirmed',
    ])
  })

  it('exclude a use that began before the logout, and other sessions', () => {
    expect(broken([login('s', 0), logout('s', 1, 3), use('s', 'ok', 2)])).toEqual([])
    expect(broken([login('s', 0), login('t', 0), logout('s', 1), use('t', 'ok', 2)])).toEqual([])
  })

  it('include a session that was lost without a logout', () => {
    expect(broken([login('s', 0), use('s', 'guest', 1)])).toEqual([
      's was lost: nobody had logged out of it',
    ])
    expect(broken([login('s', 0), use('s', 'guest', 1), logout('s', 2)])).toHaveLength(1)
  })

  it('exclude a session during its logout', () => {
    expect(broken([login('s', 0), use('s', 'guest', 1, 3), logout('s', 2, 4)])).toEqual([])
  })
})

describe('Violations in a history of the second factor', () => {
  it('include a secret that was enabled twice', () => {
    expect(broken([enable('x', 'enabled'), enable('x', 'enabled')])).toEqual([
      'x was enabled 2 times',
    ])
  })

  it('exclude other secrets and refused confirmations', () => {
    expect(broken([enable('x', 'enabled'), enable('y', 'enabled')])).toEqual([])
    expect(broken([enable('x', 'enabled'), enable('x', 'refused')])).toEqual([])
  })
})

describe('Violations in a history of bells', () => {
  const bell = { account: 'ada', unreadCounts: [1, 1], unread: 1, entries: 2 }
  const sent = [notify('ada'), notify('ada'), notify('bea')]

  it('are none when all counts match the entries', () => {
    expect(broken(sent, [bell])).toEqual([])
  })

  it('include a count that differs from the entries', () => {
    expect(broken(sent, [{ ...bell, unreadCounts: [1, 2] }])).toEqual([
      'ada is told 2 unread, of which there are 1',
    ])
  })

  it('include an entry that was lost or stored twice', () => {
    for (const entries of [1, 3]) {
      expect(broken(sent, [{ ...bell, entries }])).toEqual([
        `ada has ${entries} entries, and 2 were confirmed`,
      ])
    }
  })
})
