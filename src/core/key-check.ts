import { ConfigError, type Awaitable, type MetadataStore, type Stores } from '../contracts.ts'
import { signerFor } from './crypto.ts'
import { withTimeout } from './timeouts.ts'

const ENTRY = 'app.keys'
const STORE_NAME = 'the metadata store'

/** After a refusal the stores are asked again this often, so that a replaced key needs no restart. */
const RETRY_MS = 5000

/** Makes sure that this node shares an application key with the other nodes on its stores. */
export interface KeyCheck {
  /**
   * Resolves once the keys are known to be shared; at once from then on.
   *
   * @throws {ConfigError} Other nodes use other keys.
   * @throws {StoreError} The stores cannot be asked.
   */
  ensureShared(): Awaitable<void>
}

/**
 * Makes the check. A node with another key would end every session that it meets, as the stamps of the sessions do not
 * fit: it must not answer at all.
 *
 * @see docs/http-api.md, "Keys"
 */
export function createKeyCheck({ metadata = [] }: Stores, keys: readonly string[]): KeyCheck {
  const own = keys.map(fingerprintOf).toSorted()
  let checking: Promise<void> | null = null
  let isShared = metadata.length === 0
  let refusal: { readonly error: ConfigError; readonly at: number } | null = null

  async function check(): Promise<void> {
    // Nothing is written anywhere before all databases have agreed.
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
 * Takes these application keys for those of the stores, in place of a key that is lost for good. Every session and
 * pending login ends. Nodes that run with other keys keep answering until they are restarted: stop them first.
 *
 * @param keys As in `app.keys`.
 * @returns how many sessions and pending logins were ended.
 * @throws {StoreError} The stores cannot be reached. It can be called again.
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
/** Later than anything ends. */
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

/** Compares and sets until nobody else was quicker; whoever was may have taken the key away. */
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

/** A leaked store tells which key is used, and not the key. */
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
