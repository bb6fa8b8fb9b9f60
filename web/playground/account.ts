import type { NotificationEntry } from '../../src/rules/routes/notification-rows.ts'
import type { SessionEntry } from '../../src/rules/routes/session-list-rows.ts'
import type { SuccessBody } from '../../src/rules/routes.ts'

/** The data of the one user of the playground, as a service stores it. */
export interface Account {
  /** The progress of the login. */
  login: 'none' | 'code' | 'complete'
  email: string
  verification: 'done' | 'required'
  factor: SuccessBody<'two-factor'>
  attemptsLeft: number
  /** Answers every request with an outage, until the user retries. */
  isDown: boolean
  /** Refuses every login for a minute. */
  isThrottled: boolean
  notifications: readonly NotificationEntry[]
  sessions: readonly SessionEntry[]
  trustedDevices: SuccessBody<'trusted-devices'>['data']
  /** Refuses to set up the second factor until the user has confirmed. */
  isConfirmationDue: boolean
  /** The person who acts as the user. */
  impersonator: string | null
}

const MINUTE_MS = 60_000

const FACTOR_OFF = { enabled: false, required: false, pending: false, codes_unseen: false }

const FACTOR_ON = { ...FACTOR_OFF, enabled: true, recovery_codes_left: 8 }

const GUEST: Account = {
  login: 'none',
  email: 'ada@example.com',
  verification: 'done',
  factor: FACTOR_OFF,
  attemptsLeft: 5,
  isDown: false,
  isThrottled: false,
  notifications: [],
  sessions: sessions(),
  trustedDevices: [],
  isConfirmationDue: false,
  impersonator: null,
}

const USER: Account = { ...GUEST, login: 'complete' }

const LINK = '#token=playground&email=ada%40example.com'

/** The states that a reader chooses from, with their labels. The first is shown at first. */
export const states = {
  login: { label: 'Login', account: GUEST },
  throttled: { label: 'Login: too many attempts', account: { ...GUEST, isThrottled: true } },
  code: {
    label: 'Login: the code of the second factor',
    account: { ...GUEST, login: 'code', factor: { ...FACTOR_OFF, enabled: true } },
  },
  forgot: { label: 'Forgotten password', account: GUEST, path: 'forgot-password' },
  reset: {
    label: 'New password: the link of a mail',
    account: GUEST,
    path: `reset-password${LINK}`,
  },
  invited: {
    label: 'New password: an invitation',
    account: GUEST,
    path: `choose-password${LINK}`,
  },
  disowned: {
    label: 'A login that was not the user: the link of a mail',
    account: GUEST,
    path: `not-me${LINK}`,
  },
  email: { label: 'Email verification', account: { ...USER, verification: 'required' } },
  required: {
    label: 'Second factor: required',
    account: { ...USER, factor: { ...FACTOR_OFF, required: true } },
  },
  off: { label: 'Second factor: off', account: USER },
  due: {
    label: 'Second factor: required in 14 days',
    account: { ...USER, factor: { ...FACTOR_OFF, required_in_days: 14 } },
  },
  pending: {
    label: 'Second factor: set-up begun',
    account: { ...USER, factor: { ...FACTOR_OFF, pending: true } },
  },
  on: {
    label: 'Second factor: on',
    account: { ...USER, factor: FACTOR_ON },
  },
  apps: {
    label: 'Second factor: two apps',
    account: { ...USER, factor: { ...FACTOR_ON, devices: devices() } },
  },
  few: {
    label: 'Second factor: few recovery codes left',
    account: { ...USER, factor: { ...FACTOR_ON, recovery_codes_left: 2 } },
  },
  unseen: {
    label: 'Second factor: recovery codes not saved',
    account: { ...USER, factor: { ...FACTOR_ON, codes_unseen: true, recovery_codes_left: 10 } },
  },
  alone: {
    label: 'Sessions: no others',
    account: { ...USER, sessions: sessions().slice(0, 1) },
  },
  trusted: {
    label: 'Trusted devices: two',
    account: { ...USER, factor: FACTOR_ON, trustedDevices: trustedDevices() },
  },
  confirmation: {
    label: 'Confirmation: the set-up of the second factor asks for it',
    account: { ...USER, isConfirmationDue: true },
  },
  impersonation: {
    label: 'Acting as another user: the way back',
    account: { ...USER, impersonator: 'Grace' },
  },
  bell: { label: 'Bell: notifications', account: { ...USER, notifications: notifications() } },
  outage: { label: 'Outage', account: { ...GUEST, isDown: true } },
} as const satisfies Readonly<Record<string, PlaygroundState>>

export interface PlaygroundState {
  readonly label: string
  readonly account: Account
  /** The address at which the service shows it; by default any. */
  readonly path?: string
}

export type StateName = keyof typeof states

function sessions(): readonly SessionEntry[] {
  const at = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()
  const phone = { browser: 'Safari', system: 'iOS', network: '2001:db8:12::/48' }
  return [
    {
      id: '5f2c8e01a9d4',
      current: true,
      created_at: at(35),
      last_seen_at: at(0),
      remembered_until: null,
      browser: 'Firefox',
      system: 'Linux',
      network: '203.0.113.x',
    },
    {
      id: '0b77d31c52ee',
      current: false,
      created_at: at(900),
      last_seen_at: at(12),
      remembered_until: at(-30 * 24 * 60),
      ...phone,
    },
  ]
}

function trustedDevices(): Account['trustedDevices'] {
  const created_at = new Date(Date.now() - 60 * MINUTE_MS).toISOString()
  const expires_at = new Date(Date.now() + 30 * 24 * 60 * MINUTE_MS).toISOString()
  const shown = { created_at, expires_at }
  return [
    {
      id: '5f2c8e01a9d4',
      current: true,
      browser: 'Firefox',
      system: 'Linux',
      network: '203.0.113.x',
      ...shown,
    },
    {
      id: '0b77d31c52ee',
      current: false,
      browser: 'Safari',
      system: 'iOS',
      network: '203.0.113.x',
      ...shown,
    },
  ]
}

function devices() {
  const added_at = new Date(Date.now() - 60 * 24 * 60 * MINUTE_MS).toISOString()
  const last_used_at = new Date(Date.now() - 24 * 60 * MINUTE_MS).toISOString()
  return [
    { id: 'first', name: null, added_at, last_used_at },
    { id: 'tablet', name: 'Tablet', added_at: last_used_at, last_used_at: null },
  ]
}

function notifications(): readonly NotificationEntry[] {
  const entries = [
    { title: 'Export finished', body: 'orders.csv, 1,204 rows', url: '#exports', minutes: 3 },
    { title: 'Bea joined the team', body: null, url: null, minutes: 95 },
    { title: 'Backup completed', body: null, url: 'https://example.com/', minutes: 1500 },
  ]
  return entries.map(({ minutes, ...data }, index) => ({
    id: crypto.randomUUID(),
    type: 'example',
    data,
    read_at: index === 2 ? new Date().toISOString() : null,
    created_at: new Date(Date.now() - minutes * MINUTE_MS).toISOString(),
  }))
}
