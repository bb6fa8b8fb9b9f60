import { afterEach, expect, it, vi } from 'vitest'
import type { PanelOfPage } from '@svc/auth/client'
import type { Person } from '../../panel/pages/api.ts'

afterEach(() => void vi.restoreAllMocks())

const person: Person = {
  id: '1',
  email: 'ada@example.com',
  name: null,
  emailVerified: true,
  secondFactor: null,
  lastLogin: null,
  mayActAs: false,
}

it.each([
  [null, 'A'],
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['(admin) Lovelace', 'AL'],
  ['“Ada” ‘Lovelace’', 'AL'],
  ['🦊 Ada', 'A'],
  ['\u200Fأدا', 'أ'],
])('the initials of %s are %s', async (name, initials) => {
  document.documentElement.lang = 'en'
  const { rowOf } = await import('../../panel/pages/person-row.ts')
  const row = rowOf({ ...person, name }, {} as PanelOfPage)
  expect(row.querySelector('.panel-initials')?.textContent).toBe(initials)
})

it('a double click acts as the person once, and another is possible after a refusal', async () => {
  document.documentElement.lang = 'en'
  const { rowOf } = await import('../../panel/pages/person-row.ts')
  const answers = [Response.json({ message: 'Not now.' }, { status: 403 }), Response.json({})]
  const request = vi.fn(async () => answers.shift())
  const problems: unknown[] = []
  const showProblem = (problem: unknown) => problems.push(problem)
  const panel = { session: { request }, showProblem } as unknown as PanelOfPage
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const button = rowOf({ ...person, mayActAs: true }, panel).querySelector('button')
  const doubleClick = () => [1, 2].forEach(() => button?.click())
  doubleClick()
  await vi.waitFor(() => expect(problems).toEqual([null, 'Not now.']))
  expect(request).toHaveBeenCalledOnce()
  doubleClick()
  await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce())
  button?.click()
  expect(request).toHaveBeenCalledTimes(2)
})

it('a name cannot turn the email beside it in the list of people', async () => {
  document.documentElement.lang = 'en'
  const { send } = await import('../../panel/pages/send.ts')
  const named = { ...person, name: 'Eve \u2069\u202E(evil)' }
  const request = async () => Response.json({ data: [named] })
  const panel = { session: { request }, showProblem: () => {} } as unknown as PanelOfPage
  send.show(document.body, panel)
  await vi.waitFor(() => expect(document.querySelectorAll('option')).toHaveLength(2))
  const [, option] = document.querySelectorAll('option')
  expect(option?.textContent).toBe('Eve (evil) (ada@example.com)')
})
