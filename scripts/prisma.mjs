// Prisma, installed from npm, with clients for the tables of the tests.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installOnce, WITHOUT_SCRIPTS } from './npm-folder.mjs'

const VERSION = '7.10.0'
const PACKAGES = ['prisma', '@prisma/client', '@prisma/adapter-pg']

/** The types of the ids, by the folders of the clients. */
const IDS = {
  number: 'BigInt @id @default(autoincrement())',
  UUID: 'String @id @db.Uuid',
  text: 'String @id',
}

/**
 * Installs Prisma in a folder of its own, and generates a client for each kind of ids. They need
 * no engine: they query PostgreSQL by `pg`.
 *
 * @returns the folder; a client is in `KIND/client.ts`.
 */
export function installPrisma() {
  const folder = resolve('.cache', `prisma-${VERSION}`)
  const packages = PACKAGES.map((name) => `${name}@${VERSION}`)
  installOnce(folder, packages, {
    // The install scripts download engines, which only migrations need.
    options: WITHOUT_SCRIPTS,
    // A client that was generated from older models is generated again.
    stamp: schemaOf('text', IDS.text),
    complete: () => Object.entries(IDS).forEach(([kind, id]) => generate(folder, kind, id)),
  })
  return folder
}

function generate(folder, kind, id) {
  const file = `${kind}.prisma`
  writeFileSync(join(folder, file), schemaOf(kind, id))
  // Generating looks for an engine of migrations, and does not use it.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  const program = join(folder, 'node_modules', '.bin', 'prisma')
  execFileSync(program, ['generate', `--schema=${file}`], { cwd: folder, env, stdio: 'pipe' })
}

function schemaOf(kind, id) {
  return `
generator client {
  provider = "prisma-client"
  output   = "./${kind}"
}

datasource db {
  provider = "postgresql"
}

model Member {
  id         ${id}
  mail       String
  fullName   String?   @map("full_name")
  password   String?
  verifiedAt DateTime? @map("verified_at") @db.Timestamptz
  deletedAt  DateTime? @map("deleted_at") @db.Timestamptz
  isActive   Boolean   @default(true) @map("is_active")
  role       String?

  @@map("members")
}

model TwoFactor {
  userId        String @id @map("user_id")
  secret        String
  recoveryCodes String @map("recovery_codes")
  lastStep      BigInt @map("last_step")
  devices       String?

  @@map("svc_two_factor")
}
`
}
