import { isLoopback } from '../core/loopback.ts'
import { optionPath } from './describe.ts'
import type { Clock } from '../contracts/host.ts'
import type { PanelAuthOptions, PanelConfig } from '../contracts/options.ts'
import { API_PATH } from '../rules/paths.ts'
import { sessionOptionComplaints } from './session-option-checks.ts'
import type { Settings } from './settings.ts'

/** A complaint about options that are each well-formed: the key, a colon, and the remedy. */
type Complaint = string

type Options<User> = Pick<
  PanelAuthOptions<User>,
  | 'activity'
  | 'channels'
  | 'clock'
  | 'config'
  | 'confirmation'
  | 'mailer'
  | 'passwords'
  | 'sessions'
  | 'stores'
  | 'twoFactor'
  | 'users'
>

/**
 * Finds options that can never work together, so that the start fails instead of the first login.
 *
 * @returns one line per contradiction; empty when there is nothing to refuse.
 */
export function findContradictions<User>(
  options: Options<User>,
  settings: Settings,
): readonly Complaint[] {
  const { config, channels = {}, clock } = options
  return [
    ...sessionComplaints(config.session ?? {}, settings),
    ...pathComplaints(settings),
    ...wildcardComplaints(settings.session_auth.stateful),
    ...(typeof config.app.url === 'string' ? urlComplaints(config.app.url, settings) : []),
    ...proxyComplaints(settings.trusted_proxies),
    ...languageComplaints(settings.locales),
    ...channelComplaints(channels),
    ...passwordComplaints(options),
    ...confirmationComplaints(options),
    ...mailerComplaints(options),
    ...activityComplaints(options),
    ...sessionOptionComplaints(options, settings),
    ...(clock === undefined ? [] : clockComplaints(clock)),
  ]
}

/**
 * Returns why a URL may not carry sessions; `null` when it may.
 *
 * Plain http lets everyone on the network path read the session cookie.
 */
export function refuseUrl(
  url: string,
  { production, app }: Pick<Settings, 'production' | 'app'>,
): Complaint | null {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || !production || app.unsafe_http || isLoopback(hostname)) return null
  return (
    `app.url: is ${url}, and in production a panel is reached over https only: ` +
    'give its https address, even where a proxy ends TLS. ' +
    'On a network where nobody else can listen, set app.unsafe_http to true.'
  )
}

function sessionComplaints(
  { idle }: NonNullable<PanelConfig['session']>,
  { session: { absolute } }: Settings,
): readonly Complaint[] {
  if (idle === undefined || idle <= absolute) return []
  return [
    `session.idle: is ${idle} minutes, longer than session.absolute (${absolute}), which ends every session before; give at most ${absolute}`,
  ]
}

function pathComplaints({ svc: { prefix, panels }, spa }: Settings): readonly Complaint[] {
  const bases = panels.map((panel) => `/${prefix}/${panel}`)
  const complaints: Complaint[] = []
  const twice = panels.find((panel, index) => panels.indexOf(panel) < index)
  if (twice !== undefined) {
    complaints.push(
      `svc.panels: names the panel ${JSON.stringify(twice)} twice; every panel needs a unique name`,
    )
  }
  if (bases.includes(API_PATH)) {
    complaints.push(
      `svc.panels: a panel at ${API_PATH} would hide the API; choose another svc.prefix or name`,
    )
  }
  const isBelowPanel = (path: string): boolean =>
    bases.some((base) => path === base || path.startsWith(`${base}/`))
  const { pages, links } = spa
  if (pages !== undefined && isBelowPanel(pages)) {
    complaints.push(
      `spa.pages: ${pages} is a path of the panel, which serves its own document there; serve the module elsewhere`,
    )
  }
  if (links.change_password === '/.well-known/change-password') {
    complaints.push(
      'spa.links.change_password: leads to itself; name the page where passwords are changed',
    )
  }
  return complaints
}

// The common second-level domains of registries. The complete Public Suffix List changes every
// week.
const REGISTRY_SUFFIX = /^(?:ac|co|com|edu|go|gov|ne|net|or|org)\.[a-z]{2}$/

/** Domains below which hosting platforms give every customer a name. */
const PLATFORM_SUFFIXES: ReadonlySet<string> = new Set([
  'amplifyapp.com',
  'appspot.com',
  'azurewebsites.net',
  'cloudfront.net',
  'deno.dev',
  'firebaseapp.com',
  'fly.dev',
  'github.io',
  'gitlab.io',
  'herokuapp.com',
  'netlify.app',
  'ngrok-free.app',
  'ngrok.io',
  'onrender.com',
  'pages.dev',
  'run.app',
  'trycloudflare.com',
  'up.railway.app',
  'vercel.app',
  'web.app',
  'workers.dev',
])

function wildcardComplaints(stateful: readonly string[]): readonly Complaint[] {
  return stateful.flatMap((entry) => {
    const parent = /^\*\.([^:]+)/.exec(entry.trim().toLowerCase())?.[1]
    if (parent === undefined || parent === 'localhost') return []
    const complaint = `session_auth.stateful: ${JSON.stringify(entry)} trusts`
    if (PLATFORM_SUFFIXES.has(parent))
      return [
        `${complaint} the sites of all other customers of ${parent}; name your own, like my-app.${parent}`,
      ]
    if (parent.includes('.') && !REGISTRY_SUFFIX.test(parent)) return []
    return [
      `${complaint} every site below .${parent}; name your own domain, like *.example.${parent}`,
    ]
  })
}

function urlComplaints(url: string, settings: Settings): readonly Complaint[] {
  const complaint = refuseUrl(url, settings)
  return complaint === null ? [] : [complaint]
}

// Shorter prefixes are not networks of proxies. The shortest that are in use are 10.0.0.0/8 and
// fc00::/7.
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 7 } as const

function proxyComplaints(networks: readonly string[]): readonly Complaint[] {
  return networks.flatMap((network) => {
    const bits = /\/(\d+)$/.exec(network.trim())?.[1]
    const shortest = network.includes(':') ? SHORTEST_PREFIX.ipv6 : SHORTEST_PREFIX.ipv4
    if (bits === undefined || Number(bits) >= shortest) return []
    return [
      `trusted_proxies: ${network} trusts everybody, so that a client chooses the address that its attempts are counted under; list the networks of your proxies, like 10.0.0.0/8`,
    ]
  })
}

function languageComplaints(locales: Settings['locales']): readonly Complaint[] {
  return Object.keys(locales)
    .filter((tag) => !isLanguageTag(tag))
    .map((tag) => {
      const meant = tag.replaceAll('_', '-')
      const advice = isLanguageTag(meant) ? `write "${meant}"` : 'write it like de or pt-BR'
      return `${optionPath(['locales', tag])}: is not a language tag; ${advice}`
    })
}

/** Returns whether a tag begins with the code of a language, not with its name. */
function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1 && /^[a-z]{2,3}(?:-|$)/i.test(tag)
  } catch {
    return false
  }
}

function channelComplaints(channels: object): readonly Complaint[] {
  if (!Object.hasOwn(channels, 'database')) return []
  return [
    'channels.database: is the name of the bell, so nothing would call it; choose another name',
  ]
}

function passwordComplaints<User>({ passwords, users }: Options<User>): readonly Complaint[] {
  if (passwords === undefined) return []
  const isStored = passwords.set !== undefined || users.setPasswordHash !== undefined
  if (isStored) return []
  return [
    'passwords: nothing can store a new password; give `passwords: { set: async (user, hash) => {} }`, or a user provider with `setPasswordHash`',
  ]
}

function confirmationComplaints<User>({
  config,
  confirmation = false,
}: Options<User>): readonly Complaint[] {
  if (confirmation || config.svc.two_factor?.confirm_within === undefined) return []
  return [
    'svc.two_factor.confirm_within: nobody can confirm without the layer; give `confirmation: true`',
  ]
}

function mailerComplaints<User>({
  passwords,
  sessions,
  mailer,
}: Options<User>): readonly Complaint[] {
  const sending = [
    ...(passwords === undefined ? [] : ['`passwords` sends its links']),
    ...(sessions?.devices === true ? ['`sessions.devices` sends its notices'] : []),
  ]
  if (mailer !== undefined) return []
  return sending.map((what) => `mailer: is missing, and ${what} by mail; give a mailer`)
}

function activityComplaints<User>({ activity, stores }: Options<User>): readonly Complaint[] {
  if (activity !== true || stores.activity !== undefined) return []
  return ['activity: the stores have none; give `activity: { store }`']
}

// Seconds from 2001 to 5138. Read as milliseconds, they are in the first years after 1970.
const LOOKS_LIKE_SECONDS = { from: 1e9, to: 1e11 } as const

/**
 * Checks the time that a clock shows. Sessions would last 1000 times longer by a clock in seconds.
 */
function clockComplaints(clock: Clock): readonly Complaint[] {
  const time: unknown = clock.now()
  const isTime = typeof time === 'number' && Number.isFinite(time)
  if (isTime && (time < LOOKS_LIKE_SECONDS.from || time >= LOOKS_LIKE_SECONDS.to)) return []
  const given = isTime ? `${time}, which looks like seconds` : `a value of type ${typeof time}`
  return [`clock: now() returns ${given}; return milliseconds since 1970, as Date.now() does`]
}
