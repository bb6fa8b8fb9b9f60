import { domainToASCII } from 'node:url'
import { parseArgs } from 'node:util'
import { hashPassword } from '@svc/auth'
import { runCommand } from './command.ts'
import { MIN_PASSWORD_CHARACTERS, refusalOfPassword } from './password-rules.ts'
import { readPassword } from './read-password.ts'
import { readKept } from './environment.ts'
import { withStorage } from './storage.ts'
import { Users, type Person } from './users.ts'

const HELP = `Creates and changes people of the reference panel.

  npm run user -- create --email ada@example.com --name "Ada Lovelace" [--require-two-factor]
  npm run user -- password --email ada@example.com
  npm run user -- remove --email ada@example.com

create and password ask for the password, or read it from standard input where that is no terminal. It has at least
${MIN_PASSWORD_CHARACTERS} characters. A new password, and removing a person, end that person's sessions.

Environment
  DATABASE_URL         the PostgreSQL of the panel (none: SQLite)
  SVC_DATA             folder of the SQLite file (./data)
`

interface Order {
  readonly email: string
  readonly name: string | null
  readonly requireTwoFactor: boolean
}

type Command = (users: Users, order: Order) => Promise<string>

const commands: Readonly<Record<string, Command>> = { create, password, remove }

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      'require-two-factor': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [name = '', ...more] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (values.help || positionals.length === 0) {
    console.log(HELP)
    return
  }
  if (command === undefined || more.length > 0) {
    throw new Error('Give one command: create, password or remove. --help shows how.')
  }
  const email = readEmail(values.email)
  const order = { email, name: values.name ?? null, requireTwoFactor: values['require-two-factor'] }
  const kept = { ...readKept(process.env), redisUrl: null }
  console.log(await withStorage(kept, async ({ database }) => command(new Users(database), order)))
}

async function create(users: Users, { email, name, requireTwoFactor }: Order): Promise<string> {
  if ((await users.findByEmail(email)) !== null) throw new Error(`${email} exists already.`)
  const passwordHash = await readPasswordHash(email)
  await users.create({ email, name, passwordHash, twoFactorRequired: requireTwoFactor })
  return `${email} can log in.`
}

async function password(users: Users, { email }: Order): Promise<string> {
  const { id } = await existing(users, email)
  await users.setPassword(id, await readPasswordHash(email))
  return `The password of ${email} is changed; all of their sessions have ended.`
}

async function remove(users: Users, { email }: Order): Promise<string> {
  const { id } = await existing(users, email)
  await users.remove(id)
  return `${email} is removed.`
}

async function existing(users: Users, email: string): Promise<Person> {
  const person = await users.findByEmail(email)
  if (person === null) throw new Error(`No person has the email ${email}.`)
  return person
}

async function readPasswordHash(email: string): Promise<string> {
  const entered = await readPassword()
  const refusal = refusalOfPassword(entered, email)
  if (refusal !== null) throw new Error(refusal)
  return hashPassword(entered)
}

/** Normalises an email to the form that the service looks up. */
function readEmail(given: string | undefined): string {
  const email = (given ?? '').trim().normalize('NFC').toLowerCase()
  const [, local, domain] = /^([^\s@]+)@([^\s@#%/?\\]+)$/.exec(email) ?? []
  const ascii = domainToASCII(domain ?? '')
  if (local !== undefined && ascii !== '' && email.length <= 254) return `${local}@${ascii}`
  throw new Error('Give the email address of the person, like --email ada@example.com.')
}

runCommand(main)
