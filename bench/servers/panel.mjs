import { startPanel } from '../../build/panel/panel.js'
import { freePort } from '../../scripts/free-port.mjs'
import { ORIGIN } from '../requests.mjs'

// The storm must reach the hashing, so the limits that would refuse it first are raised.
const unlimited = { max: 1_000_000, window_seconds: 60 }
const LIFTED = {
  login: unlimited,
  'login.failed': unlimited,
  'login.failed.account': unlimited,
}

/**
 * Starts the built reference panel in production, with an https address as behind a proxy, on the
 * given servers, or on SQLite in its folder. On MySQL the users stay in the folder.
 */
export async function startBenchPanel(
  [folder, databaseUrl = '', redisUrl = '', mysqlUrl = ''],
  limits = LIFTED,
  { appUrl = ORIGIN, ...extras } = {},
) {
  const port = await freePort()
  const settings = {
    port,
    host: null,
    dataFolder: folder,
    databaseUrl: databaseUrl || null,
    redisUrl: redisUrl || null,
    appUrl,
    appKeys: ['bench: 0123456789 abcdefghijklmnopqrstuvwxyz'],
    trustedProxies: [],
    drainSeconds: 0,
    metricsPort: null,
    unsafeHttp: false,
    smtpUrl: null,
    mailFrom: 'panel@localhost',
  }
  const stores = mysqlUrl && { stores: await mysqlOf(mysqlUrl) }
  return { port, panel: await startPanel(settings, { config: { limits }, ...stores, ...extras }) }
}

/** Loads the driver only where it is measured: it takes memory. */
async function mysqlOf(url) {
  const { mysqlStores } = await import('@svc/auth/mysql')
  return mysqlStores(url)
}
