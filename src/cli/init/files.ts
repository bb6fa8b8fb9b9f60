import type { DatabaseText } from './databases.ts'
import type { Lines } from './frameworks.ts'

/** The parts of the service's file that a host chooses. */
export interface ServiceText {
  readonly database: DatabaseText
  readonly hasTwoFactor: boolean
  /** Port of the server during development. */
  readonly port: number
}

/** Returns the file that creates the service when it is imported. */
export function authFile(text: ServiceText): Lines {
  return [
    "import { createPanelAuth } from '@svc/auth'",
    ...importLines(text),
    '',
    ...openingLines(text),
    '',
    ...usersLines(text, 'export const users'),
    '',
    ...serviceLines(text, 'export const auth'),
  ]
}

const OPENED = {
  // The framework imports it again whenever it changes, too.
  'for a build':
    '// Opened by the first request: a build imports this file without the key and the database.',
  'for CommonJS': '// Opened by the first call: CommonJS cannot await at the top level of a file.',
} as const

/** Returns the file that creates the service when its function is called. */
export function openingFile(text: ServiceText, reason: keyof typeof OPENED): Lines {
  const body = [
    ...openingLines(text),
    '',
    ...usersLines(text, 'const users'),
    '',
    ...serviceLines(text, 'const auth'),
    'return { auth, users }',
  ]
  return [
    "import { createPanelAuth, openOnce } from '@svc/auth'",
    ...importLines(text),
    '',
    OPENED[reason],
    "export const openPanel = openOnce('panel', async () => {",
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
    '})',
  ]
}

function importLines({ database, hasTwoFactor }: ServiceText): Lines {
  return [
    "import { closeOnSignals } from '@svc/auth/node'",
    ...database.imports,
    ...(hasTwoFactor ? [`import { ${database.factors}, totp } from '@svc/auth/totp'`] : []),
  ]
}

function openingLines({ database, port }: ServiceText): Lines {
  return [
    '// The address that browsers open, with https:// or http:// in front.',
    `const url = process.env.APP_URL ?? 'http://localhost:${port}'`,
    "const keys = [process.env.APP_KEY ?? '']",
    ...database.open,
  ]
}

function usersLines({ database }: ServiceText, declaration: string): Lines {
  return [
    '// Your users table: write the names of its columns on the right. Where it has emails with upper',
    '// case, add `ignoreEmailCase: true`. A login replaces bcrypt by argon2id: where other code reads',
    '// the hashes, too, follow "Where another login reads the hashes" in docs/users.md of @svc/auth.',
    `${declaration} = ${database.users}{`,
    "  table: 'users',",
    "  columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' },",
    '})',
  ]
}

function serviceLines({ database, hasTwoFactor }: ServiceText, declaration: string): Lines {
  return [
    `${declaration} = createPanelAuth({`,
    '  config: {',
    '    app: { url, keys },',
    '    session_auth: { stateful: [url] },',
    "    svc: { prefix: 'admin', panels: ['main'] },",
    '  },',
    `  ${database.stores}`,
    '  users,',
    ...(hasTwoFactor
      ? [
          "  // The authenticator app shows the issuer: write your panel's name.",
          `  twoFactor: totp({ issuer: 'Admin panel', factors: ${database.factors}(database), keys }),`,
        ]
      : []),
    '})',
    'setInterval(() => void auth.prune().catch(console.error), 60_000).unref()',
    'closeOnSignals(auth)',
  ]
}

/** Returns the configuration of the command `svc`. */
export function commandFile(authModule: string, exported: 'openPanel' | 'auth, users'): Lines {
  return [
    "import { defineConfig } from '@svc/auth'",
    `import { ${exported} } from '${authModule}'`,
    '',
    `export default defineConfig(${exported === 'openPanel' ? exported : `{ ${exported} }`})`,
  ]
}
