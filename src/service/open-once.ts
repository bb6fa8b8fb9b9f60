import type { Awaitable } from '../contracts/host.ts'

type Opened = Map<string, Promise<unknown>>

/** Shared by every copy of the package that a bundler makes. */
const OPENED = Symbol.for('@svc/auth: opened once')

/**
 * Returns a function that opens something once in the process, at its first call. Later calls
 * return the same; a call after a failure opens again.
 *
 * For frameworks that import modules during a build, where the key and the database are missing,
 * and evaluate them again when a file changes, while the process needs one service.
 *
 * @param name Identifies it in the process.
 *
 * @example
 * ```ts
 * import { sqliteStores } from '@svc/auth/sqlite'
 *
 * export const openPanel = openOnce('panel', () => {
 *   const auth = createPanelAuth({ config, users, stores: sqliteStores('panel.db') })
 *   return { auth }
 * })
 * ```
 */
export function openOnce<Result>(
  name: string,
  open: () => Awaitable<Result>,
): () => Promise<Result> {
  return async () => {
    const opened = openedInProcess()
    const known = opened.get(name)
    // Only this function sets the name, and a module that is evaluated again opens the same.
    if (known !== undefined) return known as Promise<Result>
    const opening = Promise.resolve().then(open)
    opened.set(name, opening)
    opening.catch(() => opened.delete(name))
    return opening
  }
}

function openedInProcess(): Opened {
  const kept = globalThis as { [OPENED]?: Opened }
  return (kept[OPENED] ??= new Map())
}
