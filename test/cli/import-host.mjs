// The svc.config of a host whose users and notifications come from another system.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { sqliteStores } from '@svc/auth/sqlite'
import { countTurns } from './count-turns.mjs'
import { hostConfig, uncalledFactor } from './host-config.mjs'

countTurns()

const bcrypt = '$2y$10$Z3zA417q2gkHa75zLPLuNOXH0wPS8D6kYJfAhWxV.OiAWHT3KKdMe'
const people = [
  { id: '1', email: 'ada@example.com', hash: bcrypt, isVerified: true, hasFactor: true },
  { id: '2', email: 'rex@example.com', hash: bcrypt, isVerified: 0 },
  { id: '3', email: 'eve@example.com', hash: 'md5:5f4dcc3b5aa765d61d8327deb882cf99' },
  { id: '4', email: 'git@example.com', hash: null },
  { id: '5', email: 'Max@Example.com', hash: bcrypt },
  { id: '6', email: 'cy@example.com', hash: bcrypt, hasFactor: true },
  { id: '7', email: 'ada@example.com', hash: bcrypt },
  { id: '8', email: 'sso@example.com', hash: `!${'a'.repeat(40)}` },
]
// More than are checked at once.
if (process.env.WITHOUT_EMAIL !== undefined)
  for (let number = 0; number < 25; number += 1)
    people.unshift({ id: `n${number}`, email: null, hash: bcrypt })
const withVerification = (person) => ({
  ...person,
  ...('isVerified' in person && { hasVerifiedEmail: () => person.isVerified }),
})
const find = async (matches) => {
  const person = people.find(matches)
  return person === undefined ? null : withVerification(person)
}

const at = Date.UTC(2024, 2, 5)
const old = { userId: '1', type: 'order', title: 'An order', createdAt: at, readAt: null }
const notifications = [
  { ...old, id: 'a', title: 'The first', url: '/orders/1', readAt: at + 60_000 },
  { ...old, id: 'b', title: 'The second', body: 'Two chairs', createdAt: at + 1000 },
  { ...old, id: 'c', userId: '9' },
  { ...old, id: 'd', title: undefined },
  { ...old, id: 'e', url: 'javascript:alert(1)' },
  { ...old, id: 'f', createdAt: Number.NaN },
  { ...old, id: 'g', userId: '2', title: 'Of Rex' },
]

async function* read() {
  for (const one of notifications) {
    if (one.id === process.env.FAIL_AT) throw new Error('the old database is unreachable')
    yield one
  }
}

async function* garbled() {
  yield { id: '7', reason: 'its data is not an object of JSON' }
  yield { ...old, id: 'after' }
}

async function* many() {
  for (let number = 0; number < 2500; number += 1) yield { ...old, id: `many-${number}` }
}

export const config = defineConfig(() => ({
  auth: createPanelAuth({
    config: hostConfig(),
    stores: sqliteStores(process.env.DATABASE ?? ''),
    users: {
      findById: async (id) => find((person) => person.id === id),
      findByEmail: async (email) => find((person) => person.email === email),
      identify: ({ id, email }) => ({ id, email, name: null }),
      passwordHash: ({ hash }) => hash,
    },
    twoFactor: {
      isEnabledFor: ({ hasFactor }) => hasFactor === true,
      isRequiredFor: () => false,
      checkReadable({ id }) {
        if (id === '6') throw new Error('its key is missing')
      },
      ...uncalledFactor,
    },
    logger: { warn() {}, error() {} },
  }),
  ...(process.env.WITHOUT_LIST === undefined && {
    users: { list: () => people.map(withVerification) },
  }),
  imports: {
    old: { notifications: read },
    many: { notifications: many },
    garbled: { notifications: garbled },
    empty: {},
  },
}))
