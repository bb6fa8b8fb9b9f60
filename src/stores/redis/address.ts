import { ConfigError } from '../../contracts/errors.ts'

/** The address of one server. */
export interface RedisNode {
  readonly host: string
  readonly port: number
}

interface Credentials {
  readonly username?: string
  readonly password?: string
  readonly tls?: object
}

/** Address of Redis, in the form that ioredis takes. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string }
  | {
      readonly kind: 'sentinel'
      readonly options: Credentials & {
        readonly sentinels: RedisNode[]
        /** Name of the master group at the Sentinels. */
        readonly name: string
        readonly sentinelPassword?: string
        readonly sentinelTLS?: object
        readonly enableTLSForSentinelMode: boolean
      }
    }
  | { readonly kind: 'cluster'; readonly nodes: RedisNode[]; readonly options: Credentials }

/**
 * Reads a URL: `redis://`, or `redis+sentinel://:password@host:26379,host:26379/name`, or
 * `redis+cluster://:password@host:6379,host:6379`; with `rediss` they use TLS.
 *
 * @throws {ConfigError} The URL has another form; the message does not contain it.
 */
export function readRedisAddress(text: string): RedisAddress {
  const [protocol, kind] = /^(rediss?)(?:\+(sentinel|cluster))?:\/\//.exec(text)?.slice(1) ?? []
  const [first, ...others] = urlsOf(text)
  if (protocol === undefined || first === undefined) throw new ConfigError(FORMS)
  if (kind === undefined) {
    if (others.length > 0) throw new ConfigError(FORMS)
    return { kind: 'server', url: text }
  }
  const credentials = credentialsOf(first, protocol === 'rediss')
  if (kind === 'cluster')
    return { kind, nodes: nodesOf([first, ...others], 6379), options: credentials }
  return { kind: 'sentinel', options: sentinelOptions([first, ...others], credentials) }
}

const FORMS =
  'stores: openRedisStores takes redis://host, redis+sentinel://host,host/master or redis+cluster://host,host (rediss for TLS)'

type SentinelOptions = Extract<RedisAddress, { readonly kind: 'sentinel' }>['options']

function sentinelOptions(
  urls: readonly [URL, ...URL[]],
  credentials: Credentials,
): SentinelOptions {
  const [{ pathname, searchParams }] = urls
  const { tls } = credentials
  const name = decodeURIComponent(pathname.slice(1))
  if (name === '')
    throw new ConfigError(
      'stores: the URL of Sentinels needs the name of the master at its end, like /mymaster',
    )
  const sentinelPassword = searchParams.get('sentinel_password')
  return {
    ...credentials,
    sentinels: nodesOf(urls, 26_379),
    name,
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(tls && { sentinelTLS: tls }),
    enableTLSForSentinelMode: tls !== undefined,
  }
}

/**
 * Splits a URL with several hosts, separated by commas, into one URL for each.
 *
 * @returns An empty list if one of them is invalid.
 */
function urlsOf(text: string): readonly URL[] {
  const parts = /^([\w+]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(text)
  if (parts === null) return []
  const [, before = '', hosts = '', after = ''] = parts
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  return urls.every((url) => URL.canParse(url)) ? urls.map((url) => new URL(url)) : []
}

function nodesOf(urls: readonly URL[], usualPort: number): RedisNode[] {
  return urls.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? usualPort : Number(port),
  }))
}

function credentialsOf({ username, password }: URL, isEncrypted: boolean): Credentials {
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(isEncrypted && { tls: {} }),
  }
}
