import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { HashReply } from '../../build/src/core/passwords/hashing.js'

let hashes = 0
let killsNext = false
const hashProcesses: ChildProcess[] = []
subscribe('child_process', (message) => {
  // The channel is documented to carry the process.
  const { process: child } = message as { readonly process: ChildProcess }
  hashProcesses.push(child)
  child.on('message', (reply) => {
    // The answer to a ping is not a hash.
    if ((reply as HashReply).answer === null) return
    hashes += 1
    if (killsNext) child.kill('SIGKILL')
    killsNext = false
  })
})

/** Kills the hashing process of this test file once it has computed the next hash. */
export function killHashingAfterOne(): void {
  killsNext = true
}

/** Counts the hashes computed from now on, for known and unknown users. @returns the count so far. */
export function countHashes(): () => number {
  const before = hashes
  return () => hashes - before
}

/** Stops the hashing processes of this test file, as a debugger does. @returns how to continue them. */
export function stopHashing(): () => void {
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    for (const child of hashProcesses) if (child.pid !== undefined) child.kill(name)
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}
