import { addressesOf } from './listen-address.ts'

export const REDIS_PROTOCOLS = [
  'redis:',
  'rediss:',
  'redis+sentinel:',
  'rediss+sentinel:',
  'redis+cluster:',
  'rediss+cluster:',
]

interface Node {
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
        readonly sentinels: Node[]
        /** Name of the master group at the Sentinels. */
        readonly name: string
        readonly sentinelPassword?: string
        readonly sentinelTLS?: object
        readonly enableTLSForSentinelMode: boolean
      }
    }
  | { readonly kind: 'cluster'; readonly nodes: Node[]; readonly options: Credentials }

/**
 * Reads `REDIS_URL`: `redis://`, or `redis+sentinel://:password@host:26379,host:26379/name`, or
 * `redis+cluster://:password@host:6379,host:6379`; with `rediss` they use TLS.
 *
 * @throws {Error} The name of the master group is missing.
 */
export function readRedisAddress(text: string): RedisAddress {
  const addresses = addressesOf(text)
  const [protocol = '', kind] = (addresses[0]?.protocol ?? '').slice(0, -1).split('+')
  const credentials = credentialsOf(addresses[0], protocol === 'rediss')
  if (kind === 'cluster') {
    return { kind, nodes: nodesOf(addresses, 6379), options: credentials }
  }
  if (kind !== 'sentinel') return { kind: 'server', url: text }
  const { tls } = credentials
  const name = decodeURIComponent(addresses[0]?.pathname.slice(1) ?? '')
  if (name === '')
    throw new Error('REDIS_URL needs the name of the master at its end, like /mymaster')
  const sentinelPassword = addresses[0]?.searchParams.get('sentinel_password')
  return {
    kind,
    options: {
      ...credentials,
      sentinels: nodesOf(addresses, 26_379),
      name,
      ...(typeof sentinelPassword === 'string' && { sentinelPassword }),
      ...(tls && { sentinelTLS: tls }),
      enableTLSForSentinelMode: tls !== undefined,
    },
  }
}

function nodesOf(addresses: readonly URL[], usualPort: number): Node[] {
  return addresses.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? usualPort : Number(port),
  }))
}

function credentialsOf(address: URL | undefined, isEncrypted: boolean): Credentials {
  const [username, password] = [address?.username ?? '', address?.password ?? '']
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(isEncrypted && { tls: {} }),
  }
}
