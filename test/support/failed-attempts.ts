import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeEach, type TestContext } from 'vitest'

/*
 * A test that begins a call, awaits something else and fails there leaves the call behind, and its rejection later is a
 * part of that failure: the run counts the test, which may pass when it is repeated. Every other rejection that nobody
 * handles in time fails the file, because it would end the process of a host.
 */

type Task = TestContext['task']

const rejections: { readonly reason: unknown; readonly task: Task | null }[] = []
const others = process.listenerCount('unhandledRejection')
let current: Task | null = null

function note(reason: unknown): void {
  // A test may listen itself, and expect none or some.
  const isAlone = process.listenerCount('unhandledRejection') === others + 1
  if (isAlone) rejections.push({ reason, task: current })
}

/** Returns whether an attempt of a test has failed, also where the next one has passed. */
function hasFailed(task: Task | null): boolean {
  const { state, retryCount = 0 } = task?.result ?? {}
  return state === 'fail' || retryCount > 0
}

process.on('unhandledRejection', note)

beforeEach(({ task }) => {
  current = task
})

afterAll(async () => {
  // Node reports a rejection one turn later, also one from the end of the last test.
  await setImmediate()
  process.off('unhandledRejection', note)
  const unhandled = rejections.find(({ task }) => !hasFailed(task))
  if (unhandled === undefined) return
  const { task, reason } = unhandled
  throw new Error(`nobody handles a rejection in ${task?.name ?? 'this file'}`, { cause: reason })
})
