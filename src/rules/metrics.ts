import { EVENT_NAMES } from './event-names.ts'
import { limits } from './limits.ts'
import { MEASURED_STATUSES } from './measured-statuses.ts'
import { routeTable } from './routes.ts'

/** A metric: its labels have the closed sets of values that are listed here, and no others. */
interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** The unit of OpenTelemetry: `s` for seconds; empty for a number of things. */
  readonly unit: 's' | ''
  readonly description: string
  readonly labels: Readonly<Record<string, readonly string[]>>
}

/** `guard`: a route of the host; `none`: no route. Anybody picks a path, so it is no label. */
const MEASURED_ROUTES: readonly string[] = [...Object.keys(routeTable), 'guard', 'none']

/** The contracts that the host implements. */
const MEASURED_PARTS = [
  'SessionStore',
  'PendingLoginStore',
  'AttemptStore',
  'NotificationStore',
  'ActivityStore',
  'MetadataStore',
  'Stores',
  'Bus',
  'UserProvider',
  'Mailer',
  'TwoFactorAuthenticator',
  'TwoFactorDevices',
  'AccountPasswords',
  'Impersonation',
] as const

/** The stores that take their connections from a pool. */
export const MEASURED_POOLS = ['postgres', 'mysql'] as const

/** The upper ends of the buckets of a histogram, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const

type RowOptions = Partial<Pick<MetricRow, 'unit' | 'labels'>>

const row =
  <Kind extends MetricRow['kind']>(kind: Kind) =>
  (
    description: string,
    { unit = kind === 'histogram' ? 's' : '', labels = {} }: RowOptions = {},
  ) => ({
    kind,
    unit,
    description,
    labels,
  })
const [counter, gauge, histogram] = [row('counter'), row('gauge'), row('histogram')]

/** The metrics of the service, by their names. */
export const metrics = {
  'svc.auth.request.duration': histogram(
    'Requests to the API and to guarded routes of the host, until the answer begins.',
    { labels: { route: MEASURED_ROUTES, status: MEASURED_STATUSES } },
  ),
  'svc.auth.call.duration': histogram(
    'Calls of stores, users, mailer and second factor. `late`: no answer in time.',
    { labels: { part: MEASURED_PARTS, outcome: ['ok', 'failed', 'late'] } },
  ),
  'svc.auth.hash.duration': histogram(
    'Password hashes of a login, the wait for their turn included.',
  ),
  'svc.auth.hash.refused': counter(
    'Logins that were answered with 503, because too many passwords were waiting.',
  ),
  'svc.auth.hash.running': gauge('Password hashes that are computed now.'),
  'svc.auth.hash.waiting': gauge('Password hashes that wait for their turn.'),
  'svc.auth.events': counter('Events, such as logins, failures, lockouts and codes.', {
    labels: { event: EVENT_NAMES },
  }),
  'svc.auth.throttled': counter('Requests, guesses and mails that a limit refused.', {
    labels: { limit: Object.keys(limits) },
  }),
  'svc.auth.streams': gauge('Open streams of the bell.'),
  'svc.auth.pruned': counter('Expired records that were removed.'),
  'svc.auth.prune.age': gauge(
    'Time since this process last finished pruning. Absent until it has.',
    { unit: 's' },
  ),
  'svc.auth.clock.offset': gauge(
    'Time of the stores minus time of this machine. Absent where they share a clock.',
    { unit: 's' },
  ),
  'svc.auth.bus.lag': gauge('Time that a message of this node takes through the bus back to it.', {
    unit: 's',
  }),
  'svc.auth.pool.waiting': gauge('Calls of the stores that wait for a connection of the pool.', {
    labels: { pool: MEASURED_POOLS },
  }),
  'svc.auth.writer.thread': gauge(
    '1 while a thread writes the SQLite file, because the disk is slow; else 0.',
  ),
} as const satisfies Readonly<Record<string, MetricRow>>

type Metrics = typeof metrics

/** The name of a metric. */
export type MetricName = keyof Metrics

/** The names of the metrics of a kind. */
export type MetricOf<Kind extends MetricRow['kind']> = {
  readonly [Name in MetricName]: Metrics[Name]['kind'] extends Kind ? Name : never
}[MetricName]
