import { runCommand } from './command.ts'
import type { Migrated } from './schema.ts'
import { readKept } from './environment.ts'
import { withStorage } from './storage.ts'

const HELP = `Brings the tables of the reference panel up to date and ends, as every start does before it listens.

  npm run migrate

Environment
  DATABASE_URL         the PostgreSQL; its role has to be allowed to make tables (none: SQLite)
  SVC_DATA             folder of the SQLite file (./data)

Afterwards nodes start with a role that can only read and write. A database of a newer version is left as it is.
`

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(HELP)
    return
  }
  const kept = { ...readKept(process.env), redisUrl: null }
  const { place, migrated } = await withStorage(kept, async (storage) => storage)
  console.log(`Storage: ${place}`)
  console.log(`The tables of the panel (people…): ${resultOf(migrated.people)}`)
  console.log(`The tables of the service (svc_…): ${resultOf(migrated.service)}`)
}

function resultOf(migrated: Migrated | null): string {
  if (migrated === null) return 'up to date'
  const { from, to } = migrated
  return from === to ? `version ${to}, nothing to do` : `from version ${from} to version ${to}`
}

runCommand(main)
