import type {
  Clock,
  Logger,
  Mailer,
  NotificationChannel,
  TwoFactorAuthenticator,
} from '../../contracts/host.ts'
import type { AccountPasswords } from '../../contracts/account-passwords.ts'
import { isMailable } from '../../contracts/email-address.ts'
import type { Impersonation } from '../../contracts/impersonation.ts'
import type { PanelAuthOptions } from '../../contracts/options.ts'
import { LAYERS, type Layer } from '../../rules/routes/row.ts'
import type { ActivityStore } from '../../contracts/store-contracts.ts'
import type { TwoFactorDevices } from '../../contracts/two-factor-devices.ts'
import { createMeter } from '../meter.ts'
import { nothing, onlyTrue, time } from './answers.ts'
import {
  atLeisure,
  atOnce,
  checked,
  contractOf,
  inTime,
  optional,
  type Checked,
  type Contract,
} from './checked.ts'
import { twoFactor, twoFactorDevices } from './two-factor-contract.ts'
import { activityStore, checkStores } from './checked-stores.ts'
import { checkUsers } from './checked-users.ts'

export const mailer = contractOf<Mailer>('Mailer', 'the mailer', { send: inTime(nothing) })

export const logger = contractOf<Logger>('Logger', 'the logger', {
  warn: atLeisure(nothing),
  error: atLeisure(nothing),
})

export const clock = contractOf<Clock>('Clock', 'the clock', { now: atOnce(time) })

export const accountPasswords = contractOf<AccountPasswords<unknown>>(
  'AccountPasswords',
  (method) => `passwords.${method}`,
  {
    // Many libraries return something else than a boolean after an update.
    set: optional(inTime((answer) => answer !== false)),
    allows: optional(inTime(onlyTrue)),
  },
)

export const impersonation = contractOf<Impersonation<unknown>>(
  'Impersonation',
  (method) => `impersonation.${method}`,
  { allows: inTime(onlyTrue) },
)

/** The parts of the host, checked; `null`: the host does not bind one. */
export type CheckedHost = ReturnType<typeof checkHost>

/** Checks everything that the host implements, where it enters the service. */
export function checkHost<Host>(options: PanelAuthOptions<Host>) {
  /** Measures the calls of the host's parts, and the service; `null`: nobody does. */
  const meter = options.telemetry ? createMeter(options.telemetry) : null
  const { twoFactor: factor, sessions } = options
  const bound = <Part extends object>(part: Part | undefined, contract: Contract<Part>) =>
    part ? checked(part, contract, meter) : null
  return {
    meter,
    layers: boundLayers(options),
    stores: checkStores(options.stores, meter),
    users: checkUsers(options.users, meter),
    twoFactor: bound<TwoFactorAuthenticator<unknown>>(factor, twoFactor),
    twoFactorDevices: bound<TwoFactorDevices<unknown>>(factor?.devices, twoFactorDevices),
    passwords: bound<AccountPasswords<unknown>>(options.passwords, accountPasswords),
    impersonation: bound<Impersonation<unknown>>(options.impersonation, impersonation),
    activity: bound(activityOf(options), activityStore),
    /** The lifetimes of what the host offers beside usual sessions; `null`: not offered. */
    sessionDays: {
      remembered: sessions?.remember?.days ?? null,
      trusted: sessions?.trusted?.days ?? null,
    },
    /** The number of digits of a code; `null`: unknown. */
    codeDigits: digitsOf(factor?.codeDigits),
    // Only users of the same host are passed to them, and only `notify` waits, which it calls.
    channels: (options.channels ?? {}) as Readonly<Record<string, NotificationChannel<unknown>>>,
    mailer: options.mailer ? toOneAddress(checked(options.mailer, mailer, meter)) : null,
    clock: options.clock ? checked(options.clock, clock) : null,
  }
}

/** Returns a mailer that refuses an address which a mail library could read as several. */
function toOneAddress(own: Checked<Mailer>): Checked<Mailer> {
  const send: Checked<Mailer>['send'] = (mail) => {
    if (isMailable(mail.to)) return own.send(mail)
    throw new Error('an email address has characters that cannot be mailed')
  }
  return { ...own, send }
}

function boundLayers<Host>(options: PanelAuthOptions<Host>): ReadonlySet<Layer> {
  const { twoFactor, passwords, confirmation = false, sessions, activity } = options
  const { impersonation: acting } = options
  const layers = {
    'two-factor': twoFactor !== undefined,
    'two-factor-devices': twoFactor?.devices !== undefined,
    passwords: passwords !== undefined,
    confirmation,
    sessions: sessions?.devices === true,
    impersonation: acting !== undefined,
    activity: activity !== undefined,
    remember: sessions?.remember !== undefined,
    'trusted-devices': sessions?.trusted !== undefined,
  }
  return new Set(LAYERS.filter((name) => layers[name]))
}

/** Returns the activity store; `undefined`: the layer is not bound. */
function activityOf({
  activity,
  stores,
}: Pick<PanelAuthOptions<unknown>, 'activity' | 'stores'>): ActivityStore | undefined {
  // The start refuses `true` where the stores have none.
  return activity === true ? stores.activity : activity?.store
}

/** Returns a number that the code page can mention; any other value is ignored. */
function digitsOf(given: unknown): number | null {
  return Number.isInteger(given) && Number(given) > 0 ? Number(given) : null
}
