// The svc.config of a host of the tests: everything else comes from the environment.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { createTransport } from 'nodemailer'

const user = { id: '1', email: 'ada@example.com', name: 'Ada', hash: null }

const mailerOf = (url) => {
  const smtp = createTransport(url)
  return { send: async (message) => void (await smtp.sendMail({ from: 'a@b.test', ...message })) }
}

function databaseOf({ DATABASE = ':memory:', ONLY_READS }) {
  if (!ONLY_READS) return DATABASE
  const handle = openSqlite(DATABASE)
  handle.exec('PRAGMA query_only = ON')
  return handle
}

/** A bus whose messages arrive nowhere, as where nodes listen at another database. */
const silentBus = { publish() {}, subscribe: () => () => undefined }

export const config = defineConfig(({ command }) => {
  if (process.env.BROKEN) throw new Error(`cannot open for ${command}`)
  return {
    auth: createPanelAuth({
      config: {
        app: {
          url: process.env.APP_URL ?? 'http://localhost:3000',
          keys: (process.env.APP_KEY ?? '').split(','),
        },
        session_auth: { stateful: (process.env.STATEFUL ?? 'localhost:3000').split(',') },
        svc: { prefix: 'admin', panels: ['main'] },
        ...(process.env.TRUSTED_PROXIES && { trusted_proxies: [process.env.TRUSTED_PROXIES] }),
      },
      stores: {
        ...sqliteStores(databaseOf(process.env)),
        ...(process.env.SILENT_BUS && { bus: silentBus }),
      },
      users: {
        findById: async (id) => (id === user.id ? user : null),
        findByEmail: async (email) => (email === user.email ? user : null),
        identify: ({ id, email, name }) => ({ id, email, name }),
        passwordHash: ({ hash }) => hash,
      },
      ...(process.env.SMTP_URL && { mailer: mailerOf(process.env.SMTP_URL) }),
      logger: { warn() {}, error() {} },
    }),
    close: () => process.stderr.write(process.env.TELL_CLOSE ? 'closed\n' : ''),
  }
})
