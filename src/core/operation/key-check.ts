import type { MetadataStore, Stores } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import { checkStores, type CheckedStores } from '../boundary/checked-stores.ts'
import { ConfigError, StoreError } from '../../contracts/errors.ts'
import { firstCountKey, replaceCountKey, shareCountKey, type NamedKey } from './count-key.ts'
import { signerFor, signerWith, type PartSigner } from '../crypto.ts'
import { endEveryone } from '../login/end-everyone.ts'
import { setEntry } from '../metadata-entry.ts'

const ENTRY = 'app.keys'

/**
 * The interval at which a refused node asks the stores again, so that a replaced key needs no
 * restart.
 */
const RETRY_MS = 5000

/**
 * Creates the check that this node shares an application key with the other nodes on its stores. A
 * node with another key would end every session that it sees, because the stamps of the sessions
 * would not match. It must therefore answer no request at all.
 *
 * @see docs/http-api.md, "Keys"
 */
export function createKeyCheck({ metadata }: CheckedStores, keys: readonly string[]) {
  const named = namedKeys(keys)
  const own = fingerprintsOf(named)
  // Without metadata stores, nodes cannot agree on a key, and count apart while keys are rotated.
  let counts = metadata.length === 0 ? signerWith(firstCountKey(named, [])) : null
  let checking: Promise<void> | null = null
  let isShared = metadata.length === 0
  let refusal: { readonly error: ConfigError; readonly at: number } | null = null

  async function check(): Promise<void> {
    // Every database must agree before any of them is written.
    for (const store of metadata) if (!overlaps(own, await store.read(ENTRY))) throw otherKeys()
    if (metadata[0] !== undefined) counts = await sharedSigner(metadata[0], named)
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
    /**
     * Resolves once the keys are known to be shared; synchronously from then on.
     *
     * @throws {ConfigError} Other nodes use other keys.
     * @throws {StoreError} The stores cannot be reached.
     */
    ensureShared() {
      if (isShared) return
      if (refusal !== null && performance.now() - refusal.at < RETRY_MS) throw refusal.error
      return checkOnce()
    },
    /**
     * Signs the keys of counts and turns, with one key for all nodes.
     *
     * @throws {StoreError} `ensureShared` has not resolved yet.
     */
    countSigner: {
      sign: (...parts) => ensureKnown(counts).sign(...parts),
    } satisfies PartSigner,
  }
}

/**
 * Returns the signer of counts. Its key is shared before the application keys are registered, so
 * that a node whose keys are accepted can open it.
 */
async function sharedSigner(
  store: Checked<MetadataStore>,
  keys: readonly NamedKey[],
): Promise<PartSigner> {
  const registered = (await store.read(ENTRY))?.split(' ') ?? []
  const countKey = await shareCountKey(store, keys, registered)
  if (countKey === null) throw otherKeys()
  return signerWith(countKey)
}

function ensureKnown(signer: PartSigner | null): PartSigner {
  if (signer === null) throw new StoreError('the key of the counts is not known yet')
  return signer
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
  const named = namedKeys(keys)
  const own = fingerprintsOf(named)
  const checked = checkStores(stores, null)
  const ended = await endEveryone(checked)
  for (const store of checked.metadata) {
    await replaceCountKey(store, named)
    await setEntry(store, ENTRY, textOf(own))
  }
  return ended
}

/**
 * Compares and sets until no concurrent write interferes. A concurrent node may have removed this
 * key, so the overlap is checked each time.
 */
async function keep(store: Checked<MetadataStore>, own: readonly string[]): Promise<void> {
  for (;;) {
    const kept = await store.read(ENTRY)
    if (!overlaps(own, kept)) throw otherKeys()
    if (kept === textOf(own)) return
    if (await store.compareAndSet(ENTRY, kept, textOf(own))) return
  }
}

function overlaps(own: readonly string[], kept: string | null): boolean {
  return kept === null || kept.split(' ').some((fingerprint) => own.includes(fingerprint))
}

function namedKeys(keys: readonly string[]): readonly NamedKey[] {
  return [...new Set(keys)].map((key) => ({ key, fingerprint: fingerprintOf(key) }))
}

function fingerprintsOf(keys: readonly NamedKey[]): readonly string[] {
  return keys.map(({ fingerprint }) => fingerprint).toSorted()
}

const textOf = (fingerprints: readonly string[]): string => fingerprints.join(' ')

/** Returns the fingerprint of a key. A leaked store reveals which key is used, but not the key. */
function fingerprintOf(key: string): string {
  return signerFor('key.fingerprint', [key]).sign()
}

function otherKeys(): ConfigError {
  return new ConfigError(
    'app.keys: none of the keys is in use on these stores. Give this node the key of the other nodes; to rotate, ' +
      'put the new key in front and keep the old one. Only if that one is lost or refused, run `npx svc key replace` ' +
      'or call `replaceKeys` once, which ends every session',
  )
}
