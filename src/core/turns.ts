import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../contracts.ts'
import { times } from '../rules/limits.ts'
import type { Attempts } from './attempts.ts'
import type { Part } from './crypto.ts'
import { DeadlineError } from './timeouts.ts'

/** The exclusive right to work on what its name stands for. */
export interface Turn {
  /** Lets the next one in. Never rejects: a turn that cannot be ended lapses by itself. */
  end(): Promise<void>
  /** Lets the next one in when the turn lapses, because what was started may still be at work. */
  lapse(): void
}

/** Mutual exclusion on all nodes that share the attempt store. */
export interface Turns {
  /** @throws {DeadlineError} It was not free within `times.deadlineSeconds`. */
  take(...name: readonly Part[]): Promise<Turn>
}

/** After a node died the next one may go on when the window is over. */
const TURN = { max: 1, windowSeconds: times.turnSeconds } as const

/**
 * Makes turns out of the ledger of attempts: the first reservation of a window has the turn, and clearing the window
 * ends it. Callers on one node queue up, so that each node asks the store for one caller at a time.
 */
export function createTurns(attempts: Attempts, clock: Clock): Turns {
  const queues = new Map<string, Promise<void>>()

  /** Waits for the callers before, on this node. @returns how to let the next one in. */
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
          // Once it has lapsed the window may be somebody else's.
          if (clock.now() < reserved.endsAt) await reserved.clear()
        } catch {
          // It lapses by itself; what was done in it must not be lost for that.
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
