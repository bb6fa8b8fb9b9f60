import { isLoopback } from '../core/loopback.ts'
import { optionPath, when } from './describe.ts'
import type { Clock } from '../contracts/host.ts'
import type { PanelAuthOptions, PanelConfig } from '../contracts/options.ts'
import { BY_ID_ALONE, isMarked, OF_TENANTS } from '../contracts/tenant-marks.ts'
import { API_PATH } from '../rules/paths.ts'
import type { Settings } from './settings.ts'

/** A complaint about options that are each well-formed: the key, a colon, and the remedy. */
type Complaint = string

/**
 * Finds options that can never work together, so that the start fails instead of the first login.
 *
 * @returns one line per contradiction; empty when there is nothing to refuse.
 */
export function findContradictions<User>(
  options: PanelAuthOptions<User>,
  settings: Settings,
): readonly Complaint[] {
  const { config, clock } = options
  const { url } = config.app
  return [
    sessionComplaint(config.session ?? {}, settings),
    ...pathComplaints(settings),
    ...settings.session_auth.stateful.map(wildcardComplaint),
    typeof url === 'string' ? refuseUrl(url, settings) : null,
    ...Object.keys(settings.locales).map(languageComplaint),
    ...partComplaints(options),
    ...sessionOptionComplaints(options, settings),
    clock === undefined ? null : clockComplaint(clock),
  ].filter((complaint) => complaint !== null)
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
    `app.url: is ${url}: in production, give an https address, even where a proxy ends TLS. ` +
    'On a network where nobody else can listen, set app.unsafe_http to true.'
  )
}

function sessionComplaint(
  { idle }: NonNullable<PanelConfig['session']>,
  { session: { absolute } }: Settings,
): Complaint | null {
  if (idle === undefined || idle <= absolute) return null
  return `session.idle: is ${idle} minutes, longer than session.absolute; give at most ${absolute}`
}

function pathComplaints({ svc, spa: { pages, links } }: Settings): readonly (Complaint | null)[] {
  const { prefix, panels } = svc
  const bases = panels.map((panel) => `/${prefix}/${panel}`)
  const twice = panels.find((panel, index) => panels.indexOf(panel) < index)
  const isBelowPanel = (path = ''): boolean =>
    bases.some((base) => path === base || path.startsWith(`${base}/`))
  return [
    when(
      twice !== undefined,
      `svc.panels: names the panel ${JSON.stringify(twice)} twice; every panel needs a unique name`,
    ),
    when(
      bases.includes(API_PATH),
      `svc.panels: a panel at ${API_PATH} would hide the API; choose another svc.prefix or name`,
    ),
    when(
      isBelowPanel(pages),
      `spa.pages: ${pages} is a path of the panel, which serves its own document there; serve the module elsewhere`,
    ),
    when(
      links.change_password === '/.well-known/change-password',
      'spa.links.change_password: leads to itself; name the page where passwords are changed',
    ),
  ]
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

function wildcardComplaint(entry: string): Complaint | null {
  const parent = /^\*\.([^:]+)/.exec(entry.trim().toLowerCase())?.[1]
  if (parent === undefined || parent === 'localhost') return null
  // Browsers take a host whose last label is a number for an IPv4 address.
  if (parent.startsWith('[') || /(?:^|\.)\d+$/.test(parent))
    return `session_auth.stateful: ${JSON.stringify(entry)} has a wildcard before an address; name every address`
  const complaint = `session_auth.stateful: ${JSON.stringify(entry)} trusts`
  if (PLATFORM_SUFFIXES.has(parent))
    return `${complaint} the sites of all other customers of ${parent}; name your own, like my-app.${parent}`
  if (parent.includes('.') && !REGISTRY_SUFFIX.test(parent)) return null
  return `${complaint} every site below .${parent}; name your own domain, like *.example.${parent}`
}

function languageComplaint(tag: string): Complaint | null {
  if (isLanguageTag(tag)) return null
  const meant = tag.replaceAll('_', '-')
  const advice = isLanguageTag(meant) ? `write "${meant}"` : 'write it like de or pt-BR'
  return `${optionPath(['locales', tag])}: is not a language tag; ${advice}`
}

/** Returns whether a tag begins with the code of a language, not with its name. */
function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1 && /^[a-z]{2,3}(?:-|$)/i.test(tag)
  } catch {
    return false
  }
}

function partComplaints<User>(options: PanelAuthOptions<User>): readonly (Complaint | null)[] {
  const { channels = {}, confirmation = false, passwords, twoFactor, stores, users } = options
  const { mailer, sessions, activity } = options
  const storesPasswords = passwords?.set !== undefined || users.setPasswordHash !== undefined
  return [
    when(
      Object.hasOwn(channels, 'database'),
      'channels.database: is the name of the bell, so nothing would call it; choose another name',
    ),
    when(
      passwords !== undefined && !storesPasswords,
      'passwords: nothing can store a new password; give `passwords: { set: async (user, hash) => {} }`, or a user provider with `setPasswordHash`',
    ),
    when(
      !confirmation && options.config.svc.two_factor?.confirm_within !== undefined,
      'svc.two_factor.confirm_within: nobody can confirm without the layer; give `confirmation: true`',
    ),
    when(
      mailer === undefined && passwords !== undefined,
      'mailer: is missing, and `passwords` sends its links by mail; give a mailer',
    ),
    when(
      mailer === undefined && sessions?.devices === true,
      'mailer: is missing, and `sessions.devices` sends its notices by mail; give a mailer',
    ),
    when(
      activity === true && stores.activity === undefined,
      'activity: the stores have none; give `activity: { store }`',
    ),
    when(
      isMarked(twoFactor, BY_ID_ALONE) && isMarked(users, OF_TENANTS),
      'twoFactor: users of two tenants with one id would share a second factor; give `identify` to totp: `({ id, tenant, email }) => ({ id: `${tenant}/${id}`, email })`, or `({ id, email }) => ({ id, email })` where ids are unique',
    ),
  ]
}

/** Finds lifetimes of the option `sessions` that can never work. */
function sessionOptionComplaints<User>(
  { sessions = {}, twoFactor }: PanelAuthOptions<User>,
  { session: { absolute } }: Settings,
): readonly (Complaint | null)[] {
  const { devices = false, remember, trusted } = sessions
  return [
    ...(['remember', 'trusted'] as const).map((name) =>
      when(
        sessions[name] !== undefined && !devices,
        `sessions.${name}: users must see what it keeps, and end it; give \`devices: true\`, too`,
      ),
    ),
    when(
      remember !== undefined && remember.days * 24 * 60 < absolute,
      `sessions.remember.days: is ${remember?.days}, less than session.absolute (${absolute} minutes); give more days`,
    ),
    when(
      trusted !== undefined && twoFactor === undefined,
      'sessions.trusted: replaces the code of a second factor, and none is bound; give twoFactor',
    ),
  ]
}

// Seconds from 2001 to 5138. Read as milliseconds, they are in the first years after 1970.
const LOOKS_LIKE_SECONDS = { from: 1e9, to: 1e11 } as const

/**
 * Checks the time that a clock shows. Sessions would last 1000 times longer by a clock in seconds.
 */
function clockComplaint(clock: Clock): Complaint | null {
  const time: unknown = clock.now()
  const isTime = typeof time === 'number' && Number.isFinite(time)
  if (isTime && (time < LOOKS_LIKE_SECONDS.from || time >= LOOKS_LIKE_SECONDS.to)) return null
  const given = isTime ? `${time}, which looks like seconds` : `a value of type ${typeof time}`
  return `clock: now() returns ${given}; return milliseconds since 1970, as Date.now() does`
}
