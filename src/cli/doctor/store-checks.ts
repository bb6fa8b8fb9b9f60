import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Migrated } from '../../contracts/migrated.ts'
import type { PanelAuth } from '../../contracts/service-contract.ts'
import { times } from '../../rules/limits.ts'
import { checked, failed, ok, warning, warningsAbout, type Check } from '../output/check.ts'
import type { OpenService } from '../command/open-service.ts'

/** A code of an app is valid for 30 seconds, so a larger difference refuses correct ones. */
const MAX_DIFFERENCE_SECONDS = 5

/** Checks the stores, the shared keys, the clocks, the packages and the hashing process. */
export async function storeChecks({ auth, parts }: OpenService): Promise<readonly Check[]> {
  const { migrated } = parts.options.stores
  const { stores } = parts.host
  // There is nothing to read yet, and only the service may create it.
  if (migrated?.isPending === true) return [pendingTables(migrated)]
  const reached = await checked('stores', async () => {
    await stores.check()
    await useEachStore(stores)
    return ok('stores', 'can be read and written')
  })
  // Everything else would fail for the same reason.
  if (reached.status === 'failed') return [reached]
  const keys = await checked('shared keys', async () => {
    await parts.ready()
    return ok('shared keys', 'this node has a key of the other nodes on these stores')
  })
  return [
    reached,
    ...(await warningsAbout('stores', parts.options.stores)),
    tablesOf(migrated),
    keys,
    await checked('bus', async () => busOf(await messageArrives(stores.bus))),
    await checked('time', async () => timeOf(stores.now === undefined ? null : await stores.now())),
    // A service with a foreign key answers nothing, whatever its hashing process does.
    ...(keys.status === 'failed'
      ? []
      : [
          await checked('packages', async () => {
            await auth.ready()
            return ok('packages', 'can be loaded')
          }),
          await checked('health', async () => healthOf(await becomesHealthy(auth))),
        ]),
  ]
}

/**
 * Writes and removes a record of each kind that a login needs, and reads the bell: a user of the
 * database or of Redis may lack a right on one of them only.
 */
async function useEachStore(stores: OpenService['parts']['host']['stores']): Promise<void> {
  const { sessions, pendingLogins, attempts, notifications } = stores
  const [key, now] = [randomUUID(), (await stores.now?.()) ?? Date.now()]
  const owner = { tenant: null, userId: 'svc doctor' }
  const login = { ...owner, stamp: '', createdAt: now, expiresAt: now + 1000, details: null }
  const seen = { lastSeenAt: now, expiresAt: login.expiresAt }
  await sessions.create(key, { ...login, ...seen, pendingSecret: null })
  await sessions.touch(key, seen)
  await sessions.destroy(key)
  await pendingLogins.create(key, login)
  await pendingLogins.consume(key, now)
  await attempts.reserve(key, 1000, now)
  await attempts.clear(key)
  await notifications.latest(owner, 1)
}

/** Returns whether a message arrives through the bus. */
async function messageArrives(
  bus: OpenService['parts']['host']['stores']['bus'],
): Promise<boolean> {
  const topic = `doctor:${randomUUID()}`
  const arrival = new AbortController()
  const unsubscribe = await bus.subscribe(topic, () => arrival.abort())
  try {
    await bus.publish(topic, '')
    const { signal } = arrival
    return await pause(times.storeSeconds * 1000, false, { signal }).catch(() => true)
  } finally {
    unsubscribe()
  }
}

function busOf(hasArrived: boolean): Check {
  if (hasArrived) return ok('bus', 'carries messages between nodes')
  return failed(
    'bus',
    `a message did not arrive within ${times.storeSeconds} seconds, so open pages learn late of what other nodes do; the runbook says more at SvcAuthBusBroken`,
  )
}

function pendingTables({ from, to }: Migrated): Check {
  const found =
    from === 0 ? 'do not exist yet' : `have version ${from}, and version ${to} is needed`
  return warning(
    'tables',
    `${found}: \`svc migrate\` or the first start of the service migrates them`,
  )
}

function tablesOf(migrated: Migrated | undefined): Check {
  if (migrated === undefined) return ok('tables', 'need no migration')
  const { from, to } = migrated
  return from === to
    ? ok('tables', `have version ${to}`)
    : warning('tables', `were migrated from version ${from} to ${to} when the stores were opened`)
}

/** Compares this machine's clock with that of the stores, whose time counts. */
function timeOf(stored: number | null): Check {
  if (stored === null) return ok('time', 'the stores use the clock of this machine')
  const seconds = Math.round((Date.now() - stored) / 1000)
  if (Math.abs(seconds) <= MAX_DIFFERENCE_SECONDS)
    return ok('time', 'the clocks of this machine and of the stores agree')
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return warning(
    'time',
    `this machine is ${Math.abs(seconds)} seconds ${direction} the stores; run NTP on both, or codes of apps fail`,
  )
}

const HEALTH_ATTEMPTS = 5

/** Asks again, because the first answer waits for the hashing process to start. */
async function becomesHealthy(auth: PanelAuth): Promise<boolean> {
  for (let attempt = 0; attempt < HEALTH_ATTEMPTS; attempt += 1)
    if ((await auth.health()).healthy) return true
  return false
}

function healthOf(isHealthy: boolean): Check {
  if (isHealthy) return ok('health', 'the service answers')
  return failed('health', 'the service is unhealthy: the hashing process does not answer in time')
}
