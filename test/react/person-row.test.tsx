import { expect, it } from 'vitest'
import type { PanelOfPage } from '@svc/auth/client'
import type { Person } from '../../panel/pages/api.ts'

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
