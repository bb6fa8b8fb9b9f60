// A host on the build of the package in a folder: node host.mjs FOLDER DATABASE PORT [REDIS PREFIX].
// DATABASE is a file of SQLite, or the address of a PostgreSQL or MySQL. A message of the parent process makes it send
// a notification, and it reports each mail to the parent.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, database, port, redisUrl, prefix] = process.argv.slice(2)
const entry = async (name) => import(pathToFileURL(resolve(folder, 'dist/server', `${name}.js`)))
const [{ createPanelAuth }, { closeOnSignals, mount }, providers, factors] = await Promise.all(
  ['index', 'node', 'users', 'totp'].map(entry),
)
const KEY = 'zK4x0Qm7Tn2Vb9Rw5Lp8Yc3Hs6Jd1Gf0'
const COLUMNS = { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' }

const openers = Object.entries({ postgres: onPostgres, mysql: onMysql, '': onSqlite })
const {
  stores: beside,
  users,
  factorStore,
} = await openers.find(([start]) => database.startsWith(start))[1]()
const stores = redisUrl === undefined ? beside : await onRedis()
const auth = createPanelAuth({
  config: {
    app: { url: 'http://panel.test', keys: [KEY] },
    session_auth: { stateful: ['panel.test'] },
    svc: { prefix: 'admin', panels: ['main'] },
    // Only the server of the version is built.
    spa: { off: true },
    limits: Object.fromEntries(
      ['login', 'login.two-factor', 'password.forgot', 'password.reset'].map((name) => [
        name,
        { max: 1000, window_seconds: 60 },
      ]),
    ),
  },
  stores,
  users,
  passwords: {},
  mailer: { send: async (mail) => void process.send({ mail }) },
  twoFactor: factors.totp({ issuer: 'Panel', factors: factorStore, keys: [KEY] }),
})
createServer(mount(auth)).listen(Number(port), '127.0.0.1', () => process.send({ ready: true }))
closeOnSignals(auth)

process.on('message', ({ email, title }) => void tell(email, title))
process.once('disconnect', () => process.exit())

async function tell(email, title) {
  await auth.notify(await users.findByEmail(email, null), {
    type: 'told',
    via: () => ['database'],
    toDatabase: () => ({ title }),
  })
  process.send({ told: title })
}

async function onPostgres() {
  const [{ default: pg }, { postgresStores }] = await Promise.all([import('pg'), entry('postgres')])
  const pool = new pg.Pool({ connectionString: database, max: 5 })
  pool.on('error', () => {})
  return {
    stores: await postgresStores(pool),
    users: providers.postgresUsers(pool, { table: 'people', columns: COLUMNS }),
    factorStore: factors.postgresFactors(pool),
  }
}

async function onMysql() {
  const [{ createPool }, { mysqlStores }] = await Promise.all([
    import('mysql2/promise'),
    entry('mysql'),
  ])
  const pool = createPool({ uri: database, connectionLimit: 5 })
  return {
    stores: await mysqlStores(pool),
    users: providers.mysqlUsers(pool, { table: 'people', columns: COLUMNS }),
    factorStore: factors.mysqlFactors(pool),
  }
}

async function onRedis() {
  const [{ Redis }, { redisStores }] = await Promise.all([import('ioredis'), entry('redis')])
  return redisStores(
    new Redis(redisUrl).on('error', () => {}),
    beside,
    { prefix },
  )
}

async function onSqlite() {
  const { sqliteStores } = await entry('sqlite')
  // Both versions know a handle of the driver. `scripts/nodes.mjs` sets the one that fits the Node.
  const driver = process.env['SVC_BETTER_SQLITE3'] ?? 'better-sqlite3'
  const Database = createRequire(import.meta.url)(driver)
  const handle = new Database(database)
  return {
    stores: sqliteStores(handle),
    users: providers.sqliteUsers(handle, { table: 'people', columns: COLUMNS }),
    factorStore: factors.sqliteFactors(handle),
  }
}
