import { hash as hashArgon2, verify as verifyArgon2 } from '@node-rs/argon2'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { HashAnswer, HashJob, HashReply, HashRequest } from './hashing.ts'

/*
 * The child process of hashing.ts. Passwords and answers travel over the IPC pipe and nowhere else.
 */

yieldToOthers()
// Ctrl-C in a terminal and the stop of a supervisor signal the whole process group; the parent
// decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message) => {
  // Only hashing.ts writes to this pipe.
  void serve(message as HashRequest)
})

async function serve({ id, job }: HashRequest): Promise<void> {
  const reply: HashReply = { id, answer: job && (await answer(job)) }
  // A parent that has gone is not an error: 'disconnect' follows.
  process.send?.(reply, undefined, undefined, () => undefined)
}

async function answer(job: HashJob): Promise<HashAnswer> {
  try {
    return await compute(job)
  } catch (error) {
    return { outcome: 'failed', reason: error instanceof Error ? error.message : 'unknown' }
  }
}

async function compute(job: HashJob): Promise<HashAnswer> {
  if (job.kind === 'verify') return { outcome: (await matchesHash(job)) ? 'match' : 'mismatch' }
  if (job.kind === 'derive') return { outcome: (await matchesKey(job)) ? 'match' : 'mismatch' }
  const { memoryKiB, passes, lanes } = job.parameters
  const options = { memoryCost: memoryKiB, timeCost: passes, parallelism: lanes }
  return { outcome: 'hashed', hash: await hashArgon2(job.password, options) }
}

async function matchesHash({
  algorithm,
  hash,
  password,
  secret,
}: HashJob & { kind: 'verify' }): Promise<boolean> {
  if (algorithm === 'bcrypt') return verifyBcrypt(hash, password)
  return verifyArgon2(hash, password, secret && { secret })
}

// Most programs store no such hash.
async function matchesKey({ password, stored }: HashJob & { kind: 'derive' }): Promise<boolean> {
  const { hasKey } = await import('./derive-key.ts')
  return hasKey(password, stored)
}

// Loading bcrypt takes a third of the process's start time, and most programs store no such hash.
async function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  const bcrypt = await import('@node-rs/bcrypt')
  return (await bcrypt.verify(password, hash)) && !isRepetition(password)
}

/**
 * Returns whether bcrypt cannot tell a password from its part before the first NUL. It hashes 72
 * bytes: the password with a NUL behind it, again and again, so that `a` and `a\0a` are one to it.
 */
function isRepetition(password: string): boolean {
  const [first = ''] = password.split('\0', 1)
  return first !== password && hashedBytes(first).equals(hashedBytes(password))
}

function hashedBytes(password: string): Buffer {
  return Buffer.alloc(72, `${password}\0`)
}

// Linux has a priority per thread, and the module loader has started the pool's threads already.
function yieldToOthers(): void {
  for (const thread of threads()) {
    try {
      setPriority(thread, 19)
    } catch {
      // The thread has ended, or the platform forbids it. Hashing works without a lower priority.
    }
  }
}

function threads(): readonly number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}
