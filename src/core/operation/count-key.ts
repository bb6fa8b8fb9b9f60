import type { MetadataStore } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import { deriveKey } from '../crypto.ts'
import { setEntry } from '../metadata-entry.ts'
import { sealerFor } from '../../contracts/sealed.ts'

const ENTRY = 'attempt.key'
/** The label of the derivation from an application key, for the first node on new stores. */
const PURPOSE = 'attempt.key'
const SEALED = 'svc.attempt.key.sealed.v1'

/** An application key and its fingerprint. */
export interface NamedKey {
  readonly key: string
  readonly fingerprint: string
}

/**
 * Returns the key of counts and turns, and stores it sealed with each of the application keys. It
 * stays the same when application keys are rotated: otherwise nodes of two generations would count
 * apart, and a guesser would have twice the attempts.
 *
 * @param registered The fingerprints of the keys that the nodes on this store use.
 * @returns `null` when the stored key was sealed with other application keys.
 */
export async function shareCountKey(
  store: Checked<MetadataStore>,
  keys: readonly NamedKey[],
  registered: readonly string[],
): Promise<Buffer | null> {
  for (;;) {
    const kept = await store.read(ENTRY)
    const countKey = kept === null ? firstCountKey(keys, registered) : openedWith(keys, kept)
    if (countKey === null) return null
    if (kept !== null && isSealedFor(keys, kept)) return countKey
    const sealed = sealedFor(keys, countKey)
    if (await store.compareAndSet(ENTRY, kept, sealed)) return countKey
  }
}

/** Replaces the key of counts after the application keys were lost. Every count starts anew. */
export async function replaceCountKey(
  store: Checked<MetadataStore>,
  keys: readonly NamedKey[],
): Promise<void> {
  await setEntry(store, ENTRY, sealedFor(keys, firstCountKey(keys, [])))
}

/**
 * Returns the key of counts of stores that have kept none yet. Nodes of earlier versions, which may
 * still run, derive it from their first application key.
 */
export function firstCountKey(keys: readonly NamedKey[], registered: readonly string[]): Buffer {
  const [first] = keys
  const used = keys.find(({ fingerprint }) => registered.includes(fingerprint)) ?? first
  if (used === undefined) throw new Error('a key of counts needs an application key')
  return deriveKey(PURPOSE, used.key)
}

function sealedFor(keys: readonly NamedKey[], countKey: Buffer): string {
  return keys
    .map(({ key, fingerprint }) => {
      const sealed = sealerFor(SEALED, [key]).seal(countKey.toString('base64url'), ENTRY)
      return `${fingerprint}.${sealed}`
    })
    .join(' ')
}

function openedWith(keys: readonly NamedKey[], kept: string): Buffer | null {
  const sealed = readEntry(kept)
  for (const { key, fingerprint } of keys) {
    const opened = sealerFor(SEALED, [key]).open(sealed.get(fingerprint) ?? '', ENTRY)
    if (opened !== null) return Buffer.from(opened, 'base64url')
  }
  return null
}

function isSealedFor(keys: readonly NamedKey[], kept: string): boolean {
  const sealed = readEntry(kept)
  return sealed.size === keys.length && keys.every(({ fingerprint }) => sealed.has(fingerprint))
}

/** Returns the sealed texts by the fingerprint of their application key. */
function readEntry(kept: string): ReadonlyMap<string, string> {
  return new Map(
    kept.split(' ').map((part) => {
      const [fingerprint = '', sealed = ''] = part.split('.')
      return [fingerprint, sealed]
    }),
  )
}
