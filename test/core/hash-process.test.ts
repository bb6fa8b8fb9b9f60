import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startHashProcess } from '../../build/src/core/passwords/hashing.js'
import type { HashJob, HashProcess, HashTimeouts } from '../../build/src/core/passwords/hashing.js'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'
import type { Passwords } from '../../build/src/core/passwords/passwords.js'
import { answersWithin, stopDeadlines } from '../support/time.ts'

const quick: HashJob = hashing({ memoryKiB: 64, passes: 1, lanes: 1 })
/** Takes the better part of a second. */
const slow: HashJob = hashing({ memoryKiB: 64 * 1024, passes: 20, lanes: 1 })

/** A process that is ended after the test. */
function start(timeouts?: Partial<HashTimeouts>) {
  const runner = startHashProcess(1, {
    startMs: 10_000,
    replyMs: 4_000,
    jobMs: 20_000,
    ...timeouts,
  })
  onTestFinished(() => runner.end())
  return { ...runner, pid: runner.pid ?? expect.fail('no process') }
}

/** A password service whose processes count as hung after so long, and these processes. */
function openPasswords(replyMs: number) {
  const started: HashProcess[] = []
  const passwords = createPasswords(
    { memoryKiB: 64, passes: 1, concurrency: 1 },
    {
      start: (concurrency) => {
        const runner = startHashProcess(concurrency, { startMs: 10_000, replyMs, jobMs: 20_000 })
        started.push(runner)
        return runner
      },
      canStart: () => true,
    },
  )
  onTestFinished(() => passwords.close())
  return { passwords, started, pid: () => started.at(-1)?.pid ?? expect.fail('no process') }
}

describe('a hashing process that is stopped', () => {
  it('is killed: its jobs reject, and another process computes the next job', async () => {
    const { passwords, started, pid } = openPasswords(1_500)
    await verify(passwords)
    const stopped = pid()
    process.kill(stopped, 'SIGSTOP')
    const lost = expect(verify(passwords)).rejects.toThrow('does not answer')
    const waiting = verify(passwords)
    await lost
    expect(await waiting).toEqual({ outcome: 'mismatch' })
    expect(started).toHaveLength(2)
    await expect.poll(() => existsSync(`/proc/${stopped}`)).toBe(false)
  })

  it('fails its jobs before the deadline of a request, with the limits of the service', async () => {
    const runner = startHashProcess(1)
    await runner.run(quick)
    process.kill(runner.pid ?? expect.fail('no process'), 'SIGSTOP')
    stopDeadlines()
    const failed = expect(runner.run(quick)).rejects.toThrow('does not answer')
    await vi.advanceTimersByTimeAsync(4_900)
    await failed
  })

  it('is found by a ping, and the ping after it was killed finds another', async () => {
    const { passwords, started, pid } = openPasswords(300)
    await passwords.ping()
    process.kill(pid(), 'SIGSTOP')
    await expect(passwords.ping()).rejects.toThrow('the hashing process does not answer')
    await passwords.ping()
    expect(started).toHaveLength(2)
  })

  it('rejects a ping within two seconds', async () => {
    const { passwords, pid } = openPasswords(60_000)
    await passwords.ping()
    process.kill(pid(), 'SIGSTOP')
    const ping = async (): Promise<unknown> => passwords.ping().catch(String)
    const failure = 'Error: the hashing process does not answer'
    expect(await answersWithin(2_000, ping)).toBe(failure)
  })

  it('names optional packages when it ended before its first answer', async () => {
    const runner = start()
    process.kill(runner.pid, 'SIGKILL')
    await expect(runner.ping()).rejects.toThrow('is argon2 installed with its optional packages?')
  })

  it('is killed when it is stopped before its first answer', async () => {
    const runner = start({ startMs: 300 })
    process.kill(runner.pid, 'SIGSTOP')
    await expect(runner.run(quick)).rejects.toThrow('does not answer')
    expect(runner.alive()).toBe(false)
  })
})

describe('a hash that never ends', () => {
  it('ends its process within the time that a hash may take', async () => {
    const runner = start({ jobMs: 1_000 })
    await runner.ping()
    const endless = hashing({ memoryKiB: 512 * 1024, passes: 20, lanes: 1 })
    await expect(runner.run(endless)).rejects.toThrow('does not answer')
    expect(runner.alive()).toBe(false)
  })

  it('does not shorten the time of the jobs that wait behind it', async () => {
    const runner = start({ jobMs: 1_000, replyMs: 60_000 })
    await runner.ping()
    // Deadlines pass when the test says so: after both jobs more time has passed than one may take.
    stopDeadlines()
    const jobs = [runner.run(slow), runner.run(slow)]
    for (const job of jobs) {
      await vi.advanceTimersByTimeAsync(700)
      expect(await job).toMatchObject({ outcome: 'hashed' })
    }
  })
})

describe('a hash that takes longer than the answer to a ping may', () => {
  it('is computed, because its process answers pings', async () => {
    const runner = start({ replyMs: 1_000, jobMs: 110_000 })
    await runner.ping()
    stopDeadlines()
    const long = runner.run(slow)
    // The ping of the hash may be sent after the first of these, and is answered before the second.
    await runner.ping()
    await runner.ping()
    await vi.advanceTimersByTimeAsync(100_000)
    expect(await long).toMatchObject({ outcome: 'hashed' })
    expect(runner.alive()).toBe(true)
  })
})

describe('a ping', () => {
  it('is answered while every slot is busy', async () => {
    const runner = start({ replyMs: 30_000 })
    await runner.ping()
    const computed = runner.run(slow)
    const first = await Promise.race([computed, runner.ping().then(() => 'pong')])
    expect(first).toBe('pong')
    await computed
  })

  it('is rejected after close', async () => {
    const { passwords } = openPasswords(300)
    passwords.close()
    await expect(passwords.ping()).rejects.toThrow('it was closed')
  })
})

describe('a hashing process that has died while nothing was computed', () => {
  it('is replaced by the next job', async () => {
    const { passwords, started, pid } = openPasswords(4_000)
    await verify(passwords)
    process.kill(pid(), 'SIGKILL')
    await expect.poll(() => started[0]?.alive()).toBe(false)
    expect(await verify(passwords)).toEqual({ outcome: 'mismatch' })
    expect(started).toHaveLength(2)
  })
})

describe('a hashing process that cannot be started', () => {
  /** Lets every child process be this program. */
  function runInstead(program: string): void {
    const { execPath } = process
    process.execPath = program
    onTestFinished(() => void (process.execPath = execPath))
  }

  it('rejects jobs and pings, and does not end the program', async () => {
    runInstead('/nonexistent')
    const { passwords } = openPasswords(4_000)
    await expect(verify(passwords)).rejects.toThrow('Hashing stopped')
    await expect(passwords.ping()).rejects.toThrow('Hashing stopped: spawn /nonexistent ENOENT')
  })

  it('rejects jobs with the reason when no file descriptor is left', async () => {
    const built = new URL('../../build/src/core/passwords/hashing.js', import.meta.url)
    const script = `
      const { openSync } = await import('node:fs')
      const { startHashProcess } = await import(${JSON.stringify(built.href)})
      try { for (;;) openSync('/dev/null') } catch {}
      try {
        await startHashProcess(1).run(${JSON.stringify(quick)})
      } catch ({ message }) {
        process.exitCode = message.endsWith('EMFILE') ? 7 : 1
      }`
    const node = `ulimit -n 60; exec "$0" --input-type=module -e "$1"`
    const child = spawn('/bin/sh', ['-c', node, process.execPath, script], { timeout: 12_000 })
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  it('is not restarted for every request when it keeps ending, and is retried later', async () => {
    let forks = 0
    const count = () => void (forks += 1)
    subscribe('child_process', count)
    onTestFinished(() => void unsubscribe('child_process', count))
    const { execPath } = process
    runInstead('/bin/false')
    // Its own concurrency, so that it shares no process with another test.
    const passwords = createPasswords({ memoryKiB: 64, passes: 1, concurrency: 7 })
    onTestFinished(() => passwords.close())
    for (let made = 0; made < 100; made += 1) {
      const place = passwords.tryAcquire()
      await place?.verify('password', null).catch(() => undefined)
      place?.release()
    }
    expect(forks).toBeLessThan(10)
    process.execPath = execPath
    await vi.waitFor(async () => passwords.ping(), { timeout: 10_000 })
    expect(await verify(passwords)).toEqual({ outcome: 'mismatch' })
  })
})

describe('a platform whose IPC channel cannot be referenced, as in Bun', () => {
  it('computes hashes', async () => {
    const built = new URL('../../build/src/core/passwords/passwords.js', import.meta.url)
    const script = `
      const childProcess = await import('node:child_process')
      const { syncBuiltinESMExports } = await import('node:module')
      const { fork } = childProcess.default
      childProcess.default.fork = (...given) => {
        const child = fork(...given)
        Object.assign(child.channel, { ref: undefined, unref: undefined })
        return child
      }
      syncBuiltinESMExports()
      const { hashPassword } = await import(${JSON.stringify(built.href)})
      const hash = await hashPassword('password', { memoryKiB: 64, passes: 1 })
      process.exit(hash.startsWith('$argon2id$') ? 7 : 1)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 12_000,
    })
    expect(await once(child, 'exit')).toEqual([7, null])
  })
})

function hashing(parameters: Extract<HashJob, { readonly kind: 'hash' }>['parameters']): HashJob {
  return { kind: 'hash', password: 'password', parameters }
}

async function verify(passwords: Passwords) {
  const place = passwords.tryAcquire() ?? expect.fail('no place')
  try {
    return await place.verify('password', null)
  } finally {
    place.release()
  }
}
