import type { Awaitable } from '../contracts.ts'
import type { MetadataStore, Stores } from '../store-contracts.ts'
import { ConfigError } from '../errors.ts'
import { signerFor } from './crypto.ts'
import { withTimeout } from './timeouts.ts'

const ENTRY = 'app.keys'
const STORE_NAME = 'the metadata store'

/**
 * The interval at which a refused node asks the stores again, so that a replaced key needs no
 * restart.
 */
const RETRY_MS = 5000

/** Ensures that this node shares an application key with the other nodes on its stores. */
export interface KeyCheck {
  /**
   * Resolves once the keys are known to be shared; synchronously from then on.
   *
   * @throws {ConfigError} Other nodes use other keys.
   * @throws {StoreError} The stores cannot be reached.
   */
  ensureShared(): Awaitable<void>
}

/**
 * Creates the check. A node with another key would end every session that it sees, because the
 * stamps of the sessions would not match. It must therefore answer no request at all.
 *
 * @see docs/http-api.md, "Keys"
 */
export function createKeyCheck({ metadata = [] }: Stores, keys: readonly string[]): KeyCheck {
  const own = keys.map(fingerprintOf).toSorted()
  let checking: Promise<void> | null = null
  let isShared = metadata.length === 0
  let refusal: { readonly error: ConfigError; readonly at: number } | null = null

  async function check(): Promise<void> {
    // Every database must agree before any of them is written.
    for (const store of metadata) if (!overlaps(own, await read(store))) throw otherKeys()
    for (const store of metadata) await keep(store, own)
    isShared = true
  }

  async function checkOnce(): Promise<void> {
    try {
      await (checking ??= check())
    } catch (error) {
      if (error instanceof ConfigError) refusal = { error, at: performance.now() }
      throw error
    } finally {
      checking = null
    }
  }

  return {
    ensureShared() {
      if (isShared) return
      if (refusal !== null && performance.now() - refusal.at < RETRY_MS) throw refusal.error
      return checkOnce()
    },
  }
}

/**
 * Replaces the registered application keys of the stores after a key was lost for good. Ends every
 * session and pending login. Nodes that run with other keys keep answering until they restart, so
 * stop them first.
 *
 * @param keys As in `app.keys`.
 * @returns the number of sessions and pending logins that ended.
 * @throws {StoreError} The stores cannot be reached. The call can be repeated.
 *
 * @example
 * ```ts
 * import { postgresStores } from '@svc/auth/postgres'
 *
 * const stores = await postgresStores('postgres://panel@localhost/panel')
 * const ended = await replaceKeys(stores, [process.env['APP_KEY'] ?? ''])
 * console.log(`${ended} sessions and pending logins have ended`)
 * await stores.close()
 * ```
 */
export async function replaceKeys(stores: Stores, keys: readonly string[]): Promise<number> {
  const own = keys.map(fingerprintOf).toSorted()
  const ended = await endAll(stores)
  for (const store of stores.metadata ?? []) {
    let from: string | null
    do from = await store.read(ENTRY)
    while (from !== textOf(own) && !(await store.compareAndSet(ENTRY, from, textOf(own))))
  }
  return ended
}

const STEP = 500
/** Later than any expiry. */
const FAR_FUTURE = Date.UTC(9999, 0)

async function endAll({ sessions, pendingLogins }: Stores): Promise<number> {
  let ended = 0
  let step: number
  do {
    step = (await sessions.deleteExpired(FAR_FUTURE, STEP)).length
    step += await pendingLogins.deleteExpired(FAR_FUTURE, STEP)
    ended += step
  } while (step > 0)
  return ended
}

/**
 * Compares and sets until no concurrent write interferes. A concurrent node may have removed this
 * key, so the overlap is checked each time.
 */
async function keep(store: MetadataStore, own: readonly string[]): Promise<void> {
  for (;;) {
    const kept = await read(store)
    if (!overlaps(own, kept)) throw otherKeys()
    if (kept === textOf(own)) return
    if (await withTimeout(STORE_NAME, store.compareAndSet(ENTRY, kept, textOf(own)))) return
  }
}

async function read(store: MetadataStore): Promise<string | null> {
  return withTimeout(STORE_NAME, store.read(ENTRY))
}

function overlaps(own: readonly string[], kept: string | null): boolean {
  return kept === null || kept.split(' ').some((fingerprint) => own.includes(fingerprint))
}

const textOf = (fingerprints: readonly string[]): string => fingerprints.join(' ')

/** Returns the fingerprint of a key. A leaked store reveals which key is used, but not the key. */
function fingerprintOf(key: string): string {
  return signerFor('key.fingerprint', [key]).sign()
}

function otherKeys(): ConfigError {
  return new ConfigError(
    'app.keys: none of the keys is in use on these stores. Give this node the key of the other nodes; to rotate, ' +
      'put the new key in front and keep the old one. Only if the key is lost for good, call `replaceKeys` once, ' +
      'which ends every session',
  )
}
