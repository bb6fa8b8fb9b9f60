import { once } from 'node:events'
import { createServer } from 'node:net'
import { startPanel } from '../../dist/panel/panel.js'
import { ORIGIN } from '../requests.mjs'
import { announce } from './announce.mjs'
import { countStatements } from './count-statements.mjs'

/* The reference panel as it is built, in production, its address https as behind a proxy. */

const [, , folder, counting] = process.argv
const count = counting === 'count' ? countStatements() : () => null

// The storm is to reach the hashing: what would turn it away before that is raised.
const unlimited = { max: 1_000_000_000, window_seconds: 60 }
const limits = {
  login: unlimited,
  'login.failed': unlimited,
  'login.failed.account': unlimited,
}

const port = await freePort()
await startPanel(
  {
    port,
    dataFolder: folder,
    databaseUrl: null,
    redisUrl: null,
    appUrl: ORIGIN,
    appKey: 'bench: 0123456789 abcdefghijklmnopqrstuvwxyz',
    trustedProxies: [],
    smtpUrl: null,
    mailFrom: 'panel@localhost',
  },
  { config: { limits } },
)
announce({ port }, count)

async function freePort() {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
