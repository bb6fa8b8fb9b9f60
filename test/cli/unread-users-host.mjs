// The svc.config of a host that lists rows which the service refuses to identify.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeTwoFactor } from '@svc/auth/testing'
import { hostConfig } from './host-config.mjs'

const people = [
  { id: 'n\n1', email: null },
  { id: '2', email: 'bea@example.com' },
  { id: '3', email: 'cy@example.com' },
]

export const config = defineConfig(() => {
  const { ONLY_UNREAD, BROKEN_ID, BROKEN_FACTOR, OUTAGE } = process.env
  const listed = ONLY_UNREAD ? people.slice(0, 1) : people
  const users = {
    findById: async (id) => (BROKEN_ID ? null : (people.find((one) => one.id === id) ?? null)),
    findByEmail: async (email) => people.find((one) => one.email === email) ?? null,
    identify: ({ id, email }) => ({ id, email, name: null }),
    passwordHash: () => null,
    list: async () => listed,
  }
  return {
    auth: createPanelAuth({
      config: hostConfig(),
      stores: memoryStores(),
      users,
      twoFactor: {
        ...fakeTwoFactor(),
        erase: async () => {},
        isEnabledFor: async ({ id }) => {
          if (OUTAGE || id === BROKEN_FACTOR) throw new Error('the secret is malformed')
          return false
        },
      },
      logger: { warn() {}, error() {} },
    }),
    users,
  }
})
