import type {
  Clock,
  Logger,
  Mailer,
  NotificationChannel,
  TwoFactorAuthenticator,
} from '../../contracts/host.ts'
import type { AccountPasswords } from '../../contracts/account-passwords.ts'
import type { Impersonation } from '../../contracts/impersonation.ts'
import type { PanelAuthOptions } from '../../contracts/options.ts'
import { LAYERS, type Layer } from '../../rules/routes/row.ts'
import type { ActivityStore } from '../../contracts/store-contracts.ts'
import type { TwoFactorDevices } from '../../contracts/two-factor-devices.ts'
import { createMeter, type Meter } from '../meter.ts'
import { accountPasswords } from './account-passwords-contract.ts'
import { impersonation } from './impersonation-contract.ts'
import { nothing, time } from './answers.ts'
import { atLeisure, atOnce, checked, inTime, type Checked, type Contract } from './checked.ts'
import { twoFactor, twoFactorDevices } from './two-factor-contract.ts'
import { activityStore, checkStores, type CheckedStores } from './checked-stores.ts'
import { checkUsers, type Users } from './checked-users.ts'

export const mailer: Contract<Mailer> = {
  name: 'Mailer',
  nameCall: () => 'the mailer',
  rows: { send: inTime(nothing) },
}

export const logger: Contract<Logger> = {
  name: 'Logger',
  nameCall: () => 'the logger',
  rows: { warn: atLeisure(nothing), error: atLeisure(nothing) },
}

export const clock: Contract<Clock> = {
  name: 'Clock',
  nameCall: () => 'the clock',
  rows: { now: atOnce(time) },
}

/** The parts of the host, checked. */
export interface CheckedHost {
  /** Measures the calls of the host's parts, and the service; `null`: nobody does. */
  readonly meter: Meter | null
  /** The layers that it binds. */
  readonly layers: ReadonlySet<Layer>
  readonly stores: CheckedStores
  readonly users: Users
  /** `null`: no second factor is bound. */
  readonly twoFactor: Checked<TwoFactorAuthenticator<unknown>> | null
  /** `null`: a user has one device for codes. */
  readonly twoFactorDevices: Checked<TwoFactorDevices<unknown>> | null
  /** `null`: the passwords layer is not bound. */
  readonly passwords: Checked<AccountPasswords<unknown>> | null
  /** `null`: nobody acts as another. */
  readonly impersonation: Checked<Impersonation<unknown>> | null
  /** `null`: the activity layer is not bound. */
  readonly activity: Checked<ActivityStore> | null
  /** The lifetimes of what the host offers beside usual sessions, in days; `null`: not offered. */
  readonly sessionDays: { readonly remembered: number | null; readonly trusted: number | null }
  /** The number of digits of a code; `null`: unknown. */
  readonly codeDigits: number | null
  /** Only `notify` waits for them, which the host calls. */
  readonly channels: Readonly<Record<string, NotificationChannel<unknown>>>
  /** `null`: no mailer is bound. */
  readonly mailer: Checked<Mailer> | null
  /** `null`: the service has its own. */
  readonly clock: Checked<Clock> | null
}

/** Checks everything that the host implements, where it enters the service. */
export function checkHost<Host>(options: PanelAuthOptions<Host>): CheckedHost {
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
    sessionDays: {
      remembered: sessions?.remember?.days ?? null,
      trusted: sessions?.trusted?.days ?? null,
    },
    codeDigits: digitsOf(factor?.codeDigits),
    // Only users of the same host are passed to them.
    channels: (options.channels ?? {}) as CheckedHost['channels'],
    mailer: bound(options.mailer, mailer),
    clock: options.clock ? checked(options.clock, clock) : null,
  }
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
