// The svc.config of a host whose users and servers write what a terminal would act on.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { hostConfig, uncalledFactor } from './host-config.mjs'

const nameOf = () => JSON.parse(process.env.STRANGER ?? '""')

if (process.env.FAIL_WITH) throw new Error(nameOf())
if (process.env.EXIT_WITH) process.exit(Number(process.env.EXIT_WITH))
if (process.env.NEVER) await new Promise(() => {})
if (process.env.LATER) setTimeout(() => void Promise.reject(new Error('of a timer')))

export const config = defineConfig(async () => {
  if (process.env.LATER) await new Promise(() => setTimeout(() => {}, 10_000))
  const named = nameOf()
  const users = new Map([['1', { id: '1', email: 'ada@example.com', name: named, hash: null }]])
  console.log(named)
  return {
    auth: createPanelAuth({
      config: hostConfig(process.env.APP_KEY),
      stores: memoryStores(),
      users: {
        findById: async (id) => users.get(id) ?? null,
        findByEmail: async (email) =>
          [...users.values()].find((one) => one.email === email) ?? null,
        identify: ({ id, email, name }) => ({ id, email, name }),
        passwordHash: ({ hash }) => hash,
        async create({ email, name, passwordHash }) {
          const made = { id: String(users.size + 1), email, name, hash: passwordHash }
          users.set(made.id, made)
          return made
        },
      },
      twoFactor: {
        isEnabledFor: () => true,
        isRequiredFor: () => false,
        async checkReadable() {
          throw new Error(named)
        },
        ...uncalledFactor,
      },
      logger: { warn() {}, error() {} },
    }),
    users: {
      list: async () => [...users.values()],
      remove: async ({ id }) => void users.delete(id),
    },
    imports: {
      old: {
        async *notifications() {
          yield { id: named, userId: '9', type: 'a', title: 'a', createdAt: 1, readAt: null }
        },
      },
    },
  }
})
