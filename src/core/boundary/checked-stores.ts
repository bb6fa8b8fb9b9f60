import { warned, warningsOf } from '../../contracts/provider-warning.ts'
import { StoreError } from '../../contracts/errors.ts'
import type {
  ActivityEntry,
  ActivityStore,
  AttemptStore,
  Bus,
  MetadataStore,
  NotificationStore,
  PendingLoginStore,
  SessionRecord,
  SessionStore,
  StoredNotification,
  StoreGauge,
  Stores,
  StoreSize,
} from '../../contracts/store-contracts.ts'
import type { Meter } from '../meter.ts'
import { count, flag, listOf, nothing, orNull, record, text, time } from './answers.ts'
import {
  atLeisure,
  atOnce,
  checked,
  contractOf,
  inTime,
  optional,
  type Checked,
  type Contract,
  type ReadAnswer,
} from './checked.ts'

/** Creates the contract of a store. A malformed answer of it is an outage, and not a refusal. */
function storeContract<Store>(...contract: Parameters<typeof contractOf<Store>>): Contract<Store> {
  return { ...contractOf(...contract), fault: (message) => new StoreError(message) }
}

const owner = { tenant: orNull(text), userId: text }
const login = { ...owner, stamp: text, createdAt: time, expiresAt: time, details: orNull(text) }
const session = { ...login, lastSeenAt: time, pendingSecret: orNull(text) }

export const sessionStore = storeContract<SessionStore>('SessionStore', 'the session store', {
  create: inTime(flag),
  read: inTime(orNull(record<SessionRecord>(session))),
  list: inTime(listOf(record({ ...session, key: text }))),
  touch: inTime(flag),
  update: inTime(flag),
  restamp: inTime(nothing),
  destroy: inTime(flag),
  destroyOthers: inTime(count),
  deleteExpired: inTime(listOf(record(owner))),
})

export const pendingLoginStore = storeContract<PendingLoginStore>(
  'PendingLoginStore',
  'the store of pending logins',
  {
    create: inTime(flag),
    read: inTime(orNull(record(login))),
    consume: inTime(flag),
    destroy: inTime(nothing),
    destroyOf: inTime(count),
    deleteExpired: inTime(count),
  },
)

/** Reads the number of an attempt. A store that counts from 0, or not at all, allows more. */
const ordinal: ReadAnswer<number> = (answer, wrong) => {
  if (answer !== 0) return count(answer, wrong)
  throw wrong('a whole number from 1', answer)
}

export const attemptStore = storeContract<AttemptStore>('AttemptStore', 'the attempt store', {
  reserve: inTime(record({ number: ordinal, endsAt: time })),
  release: inTime(nothing),
  count: inTime(count),
  clear: inTime(nothing),
  deleteExpired: inTime(count),
})

/** Reads an address without a check: the bell leaves out one that it cannot show. */
const address: ReadAnswer<string | null> = (answer) => answer as string | null

const entry = record<StoredNotification>({
  id: text,
  type: text,
  title: text,
  body: orNull(text),
  url: address,
  createdAt: time,
  readAt: orNull(time),
})

/**
 * Creates the contract of the bell.
 *
 * @param whole Creates the rows of the methods that can read or remove every entry of a bell.
 */
export const notificationContract = (whole: typeof inTime): Contract<NotificationStore> =>
  storeContract('NotificationStore', 'the notification store', {
    add: inTime(count),
    latest: whole(listOf(entry)),
    unreadCount: inTime(count),
    markRead: inTime(orNull(count)),
    markAllRead: inTime(nothing),
    deleteOlder: inTime(count),
    deleteOf: optional(whole(count)),
  })

export const notificationStore = notificationContract(inTime)

const activityEntry = record<ActivityEntry>({
  event: text,
  at: time,
  network: orNull(text),
  browser: orNull(text),
  system: orNull(text),
})

export const activityStore = storeContract<ActivityStore>('ActivityStore', 'the activity store', {
  add: inTime(nothing),
  latest: inTime(listOf(activityEntry)),
  deleteOlder: inTime(count),
  deleteOf: inTime(count),
})

/**
 * Reads the function that ends a subscription. It is called while a stream closes, when nobody can
 * act on its failure: a failure must neither keep the place of the stream nor end the process.
 */
const unsubscribe: ReadAnswer<() => void> = (answer, wrong) => {
  if (typeof answer !== 'function') throw wrong('a function that unsubscribes', answer)
  return () => end(answer)
}

function end(subscription: unknown): void {
  // A value that is not a function throws here, too, and is ignored like a function that throws.
  void (async () => (subscription as () => unknown)())().catch(() => undefined)
}

export const bus = storeContract<Bus>('Bus', 'the bus', {
  publish: inTime(nothing),
  subscribe: {
    ...inTime(unsubscribe),
    // Nobody else would end a subscription whose caller has given up.
    onLate: end,
  },
})

export const metadataStore = storeContract<MetadataStore>('MetadataStore', 'the metadata store', {
  read: inTime(orNull(text)),
  compareAndSet: inTime(flag),
})

const size = record<StoreSize>({
  name: text,
  records: count,
  bytes: orNull(count),
  oldest: orNull(time),
  due: count,
})

const nameStoreCall = (method: string): string =>
  method === 'now' ? 'the clock of the stores' : 'the stores'

export const storeSet = storeContract<Stores>('Stores', nameStoreCall, {
  now: optional(inTime(time)),
  check: inTime(nothing),
  // An operator waits for it, who has the tables counted.
  sizes: optional(atLeisure(listOf(size))),
  // Running writes are worth the wait, and the stop of a server has its own limit.
  close: atLeisure(nothing),
})

const storeGauge = storeContract<Pick<StoreGauge, 'read'>>('StoreGauge', 'a gauge of the stores', {
  read: atOnce(count),
})

function checkGauge(gauge: StoreGauge): StoreGauge {
  const { read } = checked(gauge, storeGauge)
  return { metric: gauge.metric, labels: gauge.labels, read }
}

/** The stores of the host, checked. */
export interface CheckedStores extends Checked<Stores> {
  readonly sessions: Checked<SessionStore>
  readonly pendingLogins: Checked<PendingLoginStore>
  readonly attempts: Checked<AttemptStore>
  readonly notifications: Checked<NotificationStore>
  readonly bus: Checked<Bus>
  readonly metadata: readonly Checked<MetadataStore>[]
  readonly gauges: readonly StoreGauge[]
}

/** Checks the stores of the host. */
export function checkStores(stores: Stores, meter: Meter | null): CheckedStores {
  return {
    ...checked(stores, storeSet, meter),
    sessions: checked(stores.sessions, sessionStore, meter),
    pendingLogins: checked(stores.pendingLogins, pendingLoginStore, meter),
    attempts: checked(stores.attempts, attemptStore, meter),
    notifications: checked(stores.notifications, notificationStore, meter),
    bus: checked(stores.bus, bus, meter),
    metadata: (stores.metadata ?? []).map((store) => checked(store, metadataStore, meter)),
    gauges: (stores.gauges ?? []).map(checkGauge),
    ...warned(...warningsOf(stores)),
  }
}
