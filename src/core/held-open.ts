import type { Owner } from '../contracts/store-contracts.ts'
import { ownerKey } from '../rules/owner-key.ts'

/** The maximum number of requests that are held open on a node. */
export interface HeldLimits {
  readonly perSession: number
  readonly perUser: number
  readonly perNode: number
}

interface Held {
  readonly sessionKey: string
  readonly end: () => void
}

/** Bounds how many requests are held open. */
export type HeldOpen = ReturnType<typeof createHeldOpen>

export function createHeldOpen({ perSession, perUser, perNode }: HeldLimits) {
  const users = new Map<string, Set<Held>>()
  let size = 0

  function remove(user: string, held: Held): void {
    const all = users.get(user)
    if (all?.delete(held) !== true) return
    size -= 1
    if (all.size === 0) users.delete(user)
  }

  function endOldest(user: string, all: ReadonlySet<Held>, sessionKey: string): void {
    const ofSession = [...all].filter((held) => held.sessionKey === sessionKey)
    const [oldest] = ofSession.length > perSession ? ofSession : all
    const isTooMany = ofSession.length > perSession || all.size > perUser
    if (!isTooMany || oldest === undefined) return
    remove(user, oldest)
    oldest.end()
  }

  return {
    /** Returns the number that the node holds. */
    count: () => size,
    /** Returns whether the node holds as many as it may. A new one is then refused. */
    isFull: () => size >= perNode,
    /**
     * Adds one, and ends the oldest of its session or user when there is one too many. The oldest
     * may belong to a client that has gone without a word, so a new one is not refused for it.
     *
     * @returns a function that removes it.
     */
    add(owner: Owner, sessionKey: string, end: () => void) {
      const user = ownerKey(owner)
      const held = { sessionKey, end }
      const all = users.get(user) ?? new Set<Held>()
      users.set(user, all.add(held))
      size += 1
      endOldest(user, all, sessionKey)
      return () => remove(user, held)
    },
  }
}
