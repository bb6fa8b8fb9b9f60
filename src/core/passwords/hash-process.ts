import { hash as hashArgon2, verify as verifyArgon2 } from '@node-rs/argon2'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { HashAnswer, HashJob, HashReply, HashRequest } from './hashing.ts'

/*
 * The child process of hashing.ts. Passwords come and answers go over the IPC pipe and nowhere else.
 */

yieldToOthers()
// A terminal's Ctrl-C and a supervisor's stop reach the whole group; the parent decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message) => {
  // Nothing but hashing.ts writes to this pipe.
  void serve(message as HashRequest)
})

async function serve({ id, job }: HashRequest): Promise<void> {
  const reply: HashReply = { id, answer: job && (await answer(job)) }
  // A parent that is gone is no error: 'disconnect' follows.
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
  if (job.kind === 'verify') {
    const verify = job.algorithm === 'bcrypt' ? verifyBcrypt : verifyArgon2
    return { outcome: (await verify(job.hash, job.password)) ? 'match' : 'mismatch' }
  }
  const { memoryKiB, passes, lanes } = job.parameters
  const options = { memoryCost: memoryKiB, timeCost: passes, parallelism: lanes }
  return { outcome: 'hashed', hash: await hashArgon2(job.password, options) }
}

// To load it is a third of the time that the process takes to start, and most programs have no such hash.
async function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  const bcrypt = await import('@node-rs/bcrypt')
  return bcrypt.verify(password, hash)
}

// Linux has a priority per thread, and the module loader has started the pool's threads already.
function yieldToOthers(): void {
  for (const thread of threads()) {
    try {
      setPriority(thread, 19)
    } catch {
      // A thread that has ended, or a platform that forbids it: hashing works all the same.
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
