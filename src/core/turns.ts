import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../contracts.ts'
import { times } from '../rules/limits.ts'
import type { Attempts } from './attempts.ts'
import type { Part } from './crypto.ts'
import { DeadlineError } from './timeouts.ts'

/** The exclusive right to work on a named resource. */
export interface Turn {
  /**
   * Ends the turn and starts the next one. Never rejects: a turn that cannot be ended expires on
   * its own.
   */
  end(): Promise<void>
  /**
   * Leaves the turn to expire, because its work may still be running. The next turn starts after
   * that.
   */
  lapse(): void
}

/** Provides mutual exclusion across all nodes that share the attempt store. */
export interface Turns {
  /**
   * Waits for the turn of a name.
   *
   * @throws {DeadlineError} The turn was not free within `times.deadlineSeconds`.
   */
  take(...name: readonly Part[]): Promise<Turn>
}

/** The window bounds a turn whose node died: the next node continues when it ends. */
const TURN = { max: 1, windowSeconds: times.turnSeconds } as const

/**
 * Creates turns on the attempt ledger: the first reservation of a window holds the turn, and
 * clearing the window ends it. Callers on one node queue up, so that each node polls the store for
 * one caller at a time.
 */
export function createTurns(attempts: Attempts, clock: Clock): Turns {
  const queues = new Map<string, Promise<void>>()

  /**
   * Waits for the earlier callers on this node.
   *
   * @returns a function that admits the next caller.
   */
  async function enter(name: string): Promise<() => void> {
    const before = queues.get(name)
    let leave = (): void => undefined
    const left = new Promise<void>((resolve) => (leave = resolve))
    queues.set(name, left)
    await before
    return () => {
      leave()
      if (queues.get(name) === left) queues.delete(name)
    }
  }

  async function reserve(name: readonly Part[], leave: () => void, until: number): Promise<Turn> {
    while (performance.now() < until) {
      const reserved = await attempts.reserve(TURN, ...name)
      if (reserved.granted) return turnOf(reserved, leave)
      await pause(times.turnRetrySeconds * 1000)
    }
    throw new DeadlineError(`a turn was not free within ${times.deadlineSeconds} seconds`)
  }

  function turnOf(reserved: Awaited<ReturnType<Attempts['reserve']>>, leave: () => void): Turn {
    return {
      async end() {
        try {
          // After the turn has expired, the window may belong to another caller.
          if (clock.now() < reserved.endsAt) await reserved.clear()
        } catch {
          // The turn expires on its own. Its result must not be lost because of that.
        } finally {
          leave()
        }
      },
      lapse: leave,
    }
  }

  return {
    async take(...name) {
      const until = performance.now() + times.deadlineSeconds * 1000
      const leave = await enter(JSON.stringify(name))
      try {
        return await reserve(name, leave, until)
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
