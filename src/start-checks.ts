import { isLoopback } from './core/loopback.ts'
import type { PanelAuthOptions } from './options.ts'
import { en } from './rules/locales/en.ts'
import { API_PATH } from './rules/routes.ts'
import type { Settings } from './settings.ts'

/** A complaint about options that are each well-formed: the key, a colon, and the remedy. */
type Complaint = string

type Options = Pick<PanelAuthOptions<never>, 'config' | 'stores'>

/**
 * Finds options that can never work together, so that the start fails instead of the first login.
 *
 * @returns one line per contradiction; empty when there is nothing to refuse.
 */
export function findContradictions({ config }: Options, settings: Settings): readonly Complaint[] {
  return [
    ...sessionComplaints(config.session ?? {}),
    ...pathComplaints(settings),
    ...wildcardComplaints(settings.stateful),
    ...(typeof config.app.url === 'string' ? urlComplaints(config.app.url, settings) : []),
    ...proxyComplaints(settings.trustedProxies),
    ...languageComplaints(settings.locales),
  ]
}

/**
 * Finds options that work but are rarely intended. They are logged once at the start.
 *
 * @returns one line per doubt.
 */
export function findDoubts({ config, stores }: Options, settings: Settings): readonly Complaint[] {
  return [
    ...(settings.production ? productionDoubts(config.app.url, settings, stores) : []),
    ...localeDoubts(settings.locales),
    ...keyDoubts(settings.keys),
  ]
}

/**
 * Returns why a URL may not carry sessions; `null` when it may.
 *
 * Plain http lets everyone on the network path read the session cookie.
 */
export function refuseUrl(
  url: string,
  { production, unsafeHttp }: Pick<Settings, 'production' | 'unsafeHttp'>,
): Complaint | null {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || !production || unsafeHttp || isLoopback(hostname)) return null
  return (
    `app.url: is ${url}, and in production a panel is reached over https only: ` +
    'give its https address, even where a proxy ends TLS. ' +
    'On a network where nobody else can listen, set app.unsafe_http to true.'
  )
}

function sessionComplaints({
  idle,
  absolute,
}: NonNullable<Options['config']['session']>): readonly Complaint[] {
  if (idle === undefined || absolute === undefined || idle <= absolute) return []
  return [
    `session.idle: is ${idle} minutes, longer than session.absolute (${absolute}), which ends every session before: give at most ${absolute}`,
  ]
}

function pathComplaints({ prefix, panels, spa }: Settings): readonly Complaint[] {
  const bases = panels.map((panel) => `/${prefix}/${panel}`)
  const complaints: Complaint[] = []
  if (new Set(panels).size < panels.length) {
    complaints.push('svc.panels: names a panel twice; every panel needs a unique name')
  }
  if (bases.includes(API_PATH)) {
    complaints.push(
      `svc.panels: a panel at ${API_PATH} would hide the API; choose another svc.prefix or name`,
    )
  }
  const isBelowPanel = (path: string): boolean =>
    bases.some((base) => path === base || path.startsWith(`${base}/`))
  if (spa.pages !== null && isBelowPanel(spa.pages)) {
    complaints.push(
      `spa.pages: ${spa.pages} is a path of the panel, which serves its own document there; serve the module elsewhere`,
    )
  }
  if (spa.changePassword === '/.well-known/change-password') {
    complaints.push(
      'spa.links.change_password: leads to itself; name the page where passwords are changed',
    )
  }
  return complaints
}

// The common second-level domains of registries. The complete Public Suffix List changes every
// week.
const REGISTRY_SUFFIX = /^(?:ac|co|com|edu|go|gov|ne|net|or|org)\.[a-z]{2}$/

function wildcardComplaints(stateful: readonly string[]): readonly Complaint[] {
  return stateful.flatMap((entry) => {
    const parent = /^\*\.([^:]+)/.exec(entry.trim().toLowerCase())?.[1]
    if (parent === undefined || parent === 'localhost') return []
    if (parent.includes('.') && !REGISTRY_SUFFIX.test(parent)) return []
    return [
      `session_auth.stateful: ${JSON.stringify(entry)} trusts every site below .${parent}; name your own domain, like *.example.${parent}`,
    ]
  })
}

function urlComplaints(url: string, settings: Settings): readonly Complaint[] {
  const complaint = refuseUrl(url, settings)
  return complaint === null ? [] : [complaint]
}

function proxyComplaints(networks: readonly string[]): readonly Complaint[] {
  return networks.flatMap((network) =>
    /\/0+$/.test(network.trim())
      ? [
          `trusted_proxies: ${network} trusts everybody, so that a client chooses the address that its attempts are counted under; list the networks of your proxies, like 10.0.0.0/8`,
        ]
      : [],
  )
}

function languageComplaints(locales: Settings['locales']): readonly Complaint[] {
  return Object.keys(locales)
    .filter((tag) => !isLanguageTag(tag))
    .map((tag) => `locales.${tag}: is not a language tag; write it like de or pt-BR`)
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function productionDoubts(
  url: Options['config']['app']['url'],
  { stateful, unsafeHttp }: Settings,
  stores: Options['stores'],
): readonly Complaint[] {
  const isPublic = typeof url !== 'string' || !isLoopback(new URL(url).hostname)
  if (!isPublic) return []
  const loopback = stateful.filter((entry) => isLoopback(entry.trim().replace(/:\d+$/, '')))
  return [
    ...(stores.persistent === false
      ? [
          'stores: the memory stores forget every session and every count at a restart, and serve one node only; use sqliteStores or postgresStores in production',
        ]
      : []),
    ...loopback.map(
      (entry) =>
        `session_auth.stateful: ${JSON.stringify(entry)} is for development; leave it out in production`,
    ),
    ...(unsafeHttp
      ? ['app.unsafe_http: anyone who can read the network traffic can take over sessions']
      : []),
  ]
}

function localeDoubts(locales: Settings['locales']): readonly Complaint[] {
  return Object.entries(locales).flatMap(([tag, texts]) =>
    Object.keys(texts)
      .filter((key) => !(withoutPlural(key) in KNOWN_TEXTS))
      .map(
        (key) => `locales.${tag}: has a text for ${key}, which nothing shows; check its spelling`,
      ),
  )
}

const PLURAL = /_(?:zero|one|two|few|many|other)$/
const withoutPlural = (key: string): string => key.replace(PLURAL, '')
const KNOWN_TEXTS = Object.fromEntries(Object.keys(en).map((key) => [withoutPlural(key), true]))

function keyDoubts(keys: readonly string[]): readonly Complaint[] {
  return new Set(keys).size < keys.length
    ? ['app.keys: lists a key twice; leave the second out']
    : []
}
