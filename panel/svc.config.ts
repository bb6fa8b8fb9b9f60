import { defineConfig, type CommandConfig } from '@svc/auth'
import { readKept, readSettings } from './environment.ts'
import { logFailure } from './log.ts'
import { openPanel } from './panel.ts'
import { refusalOfSeedPassword } from './seed.ts'
import { openStorage } from './storage.ts'
import type { Person } from './users.ts'

/** The panel for the command `svc`, as the environment of `npm start` describes it. */
export default defineConfig<Person>(async ({ command }) =>
  command === 'migrate' ? openTables() : openService(),
)

/** Needs no key: the role that may create tables is often used where no node runs. */
async function openTables(): Promise<CommandConfig<Person>> {
  const kept = { ...readKept(process.env), redisUrl: null }
  const { migrated, stores, close } = await openStorage(kept, logFailure)
  return {
    migrated,
    async close() {
      await stores.close()
      await close()
    },
  }
}

async function openService(): Promise<CommandConfig<Person>> {
  const settings = readSettings(process.env)
  // With PORT=0 the system chooses the port of a node, which a command does not know.
  const appUrl = settings.appUrl.replace(/:0$/, '')
  const { auth, users, storage } = await openPanel({ ...settings, appUrl })
  return {
    auth,
    users: { ...users, refusePassword: refusalOfSeedPassword },
    close: storage.close,
  }
}
