import type { DatabaseText } from './databases.ts'
import type { Lines } from './frameworks.ts'

/** Returns the file that creates the service when it is imported. */
export function authFile(database: DatabaseText): Lines {
  return [
    "import { createPanelAuth } from '@svc/auth'",
    "import { closeOnSignals } from '@svc/auth/node'",
    ...database.imports,
    '',
    URL_LINE,
    database.open,
    '',
    ...usersLines(database, 'export const users'),
    '',
    ...serviceLines(database, 'export const auth'),
  ]
}

/**
 * Returns the file that creates the service at the first request: the framework imports it during a
 * build, which has neither key nor database, and again whenever it changes.
 */
export function openingFile(database: DatabaseText): Lines {
  const body = [
    URL_LINE,
    database.open,
    '',
    ...usersLines(database, 'const users'),
    '',
    ...serviceLines(database, 'const auth'),
    'return { auth, users }',
  ]
  return [
    "import { createPanelAuth, openOnce } from '@svc/auth'",
    "import { closeOnSignals } from '@svc/auth/node'",
    ...database.imports,
    '',
    '// Opened by the first request: a build imports this file without the key and the database.',
    "export const openPanel = openOnce('panel', async () => {",
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
    '})',
  ]
}

const URL_LINE = "const url = process.env['APP_URL'] ?? 'http://localhost:3000'"

function usersLines({ users }: DatabaseText, declaration: string): Lines {
  return [
    '// Your users table: write the names of its columns on the right.',
    `${declaration} = ${users}{`,
    "  table: 'users',",
    "  columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' },",
    '})',
  ]
}

function serviceLines({ stores }: DatabaseText, declaration: string): Lines {
  return [
    `${declaration} = createPanelAuth({`,
    '  config: {',
    "    app: { url, keys: [process.env['APP_KEY'] ?? ''] },",
    '    session_auth: { stateful: [new URL(url).host] },',
    "    svc: { prefix: 'admin', panels: ['main'] },",
    '  },',
    `  stores: ${stores},`,
    '  users,',
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
