import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startHashProcess } from '../../build/src/core/passwords/hashing.js'
import type { HashAnswer, HashJob, HashRunner } from '../../build/src/core/passwords/hashing.js'
import { createPasswords, hashPassword } from '../../build/src/core/passwords/passwords.js'
import type {
  PasswordOptions,
  Passwords,
  PasswordSlot,
} from '../../build/src/core/passwords/passwords.js'
import { shareHashProcess } from '../../build/src/core/passwords/shared-hashing.js'

const cheap = { memoryKiB: 1024, passes: 1, concurrency: 1 } as const satisfies PasswordOptions
const right = 'correct horse é'

// Made by hash-wasm (argon2), libxcrypt's crypt(3), which is PHP's and htpasswd's code, and bcryptjs.
const bySalt = 'v=19$m=1024,t=1,p=1$c29tZXNhbHRzb21lc2FsdA'
const hashes = {
  argon2id: `$argon2id$${bySalt}$a0jhC7/NnOLgLeI/zk0hSw2jHapJUoQyclNcBpylGug`,
  argon2i: `$argon2i$${bySalt}$qdcowJqsdbIu2I3qD6eNSGum4QgHrRAu/gagHvdtLFQ`,
  argon2d: `$argon2d$${bySalt}$6zj3EVqF/ZlxZOKZUqHvHRMQpPxaxZ81e+7XrzTHzPU`,
  $2a$: '$2a$04$abcdefghijklmnopqrstuub.ZjCeFtaHcVNO3csJiht1Oa5O89F5e',
  $2b$: '$2b$04$abcdefghijklmnopqrstuub.ZjCeFtaHcVNO3csJiht1Oa5O89F5e',
  $2y$: '$2y$04$abcdefghijklmnopqrstuub.ZjCeFtaHcVNO3csJiht1Oa5O89F5e',
  'bcryptjs $2b$': '$2b$04$lWJyroQ3NW0JDw2wrUb0c.V6jUXgvC6pH3/f8Oveyl4ZocRFI5rr2',
} as const
const otherPasses =
  '$argon2id$v=19$m=1024,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$I6O2I1uvSoHBL0KvzsC/7gM3L/DPGpKY3Ifh/stjEFM'

const opened: Passwords[] = []
afterAll(() => opened.forEach((passwords) => passwords.close()))

/** A service on a real process, and the runners that it started. */
function open(options: PasswordOptions = cheap) {
  const runners: HashRunner[] = []
  const start = (concurrency: number) => {
    const runner = startHashProcess(concurrency)
    runners.push(runner)
    return runner
  }
  const passwords = createPasswords(options, { start, canStart: () => true })
  opened.push(passwords)
  return { passwords, runners, pid: () => runners.at(-1)?.pid ?? expect.fail('no process') }
}

/** A service on a runner that notes its jobs and answers when it is told to. */
function openNoted(options: PasswordOptions = cheap) {
  const jobs: { job: HashJob; answer: (answer: HashAnswer) => void }[] = []
  const run = (job: HashJob) =>
    new Promise<HashAnswer>((answer) => {
      jobs.push({ job, answer })
    })
  const ping = async () => undefined
  const start = () => ({ pid: null, alive: () => true, run, ping, end: () => undefined })
  return { passwords: createPasswords(options, { start, canStart: () => true }), jobs }
}

function tryAcquire(passwords: Passwords): PasswordSlot {
  return passwords.tryAcquire() ?? expect.fail('no place')
}

async function verify(passwords: Passwords, password: string, hash: string | null) {
  const place = tryAcquire(passwords)
  try {
    return await place.verify(password, hash)
  } finally {
    place.release()
  }
}

const { passwords } = open()

describe('hashPassword', () => {
  it('makes an argon2id hash with the default parameters', async () => {
    const hash = await hashPassword(right)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const check = await verify(open({ concurrency: 1 }).passwords, right, hash)
    expect(check).toEqual({ outcome: 'match', outdated: false })
  })

  it('refuses ill-formed Unicode and more than 1024 characters', async () => {
    await expect(hashPassword('a\uD800', cheap)).rejects.toThrow('well-formed')
    await expect(hashPassword('x'.repeat(1025), cheap)).rejects.toThrow('1024')
    await expect(hashPassword('x'.repeat(1024), cheap)).resolves.toContain('$argon2id$')
  })
})

describe('verify', () => {
  it.each(Object.entries(hashes))(
    'accepts the right password and refuses a wrong one with %s',
    async (kind, hash) => {
      const outdated = kind !== 'argon2id'
      expect(await verify(passwords, right, hash)).toEqual({ outcome: 'match', outdated })
      expect(await verify(passwords, 'wrong', hash)).toEqual({ outcome: 'mismatch' })
    },
  )

  it('reports argon2id with other parameters as outdated', async () => {
    expect(await verify(passwords, right, otherPasses)).toEqual({
      outcome: 'match',
      outdated: true,
    })
  })

  it('accepts the output of hashPassword', async () => {
    const hash = await tryAcquire(passwords).hash(right)
    expect(await verify(passwords, right, hash)).toEqual({ outcome: 'match', outdated: false })
  })

  it('tells a lone surrogate from the replacement character', async () => {
    const replaced = await hashPassword('a\uFFFD', cheap)
    expect(await verify(passwords, 'a\uFFFD', replaced)).toMatchObject({ outcome: 'match' })
    expect(await verify(passwords, 'a\uD800', replaced)).toEqual({ outcome: 'mismatch' })
  })

  it('costs one verification with the current parameters when there is no hash', async () => {
    const noted = openNoted()
    const check = verify(noted.passwords, right, null)
    const hash: unknown = expect.stringMatching(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/)
    const job = { kind: 'verify', algorithm: 'argon2', password: right, hash }
    expect(noted.jobs.map((noted) => noted.job)).toEqual([job])
    noted.jobs[0]?.answer({ outcome: 'match' })
    expect(await check).toEqual({ outcome: 'mismatch' })
  })

  it('verifies against the dummy hash for real', async () => {
    const { passwords, runners } = open()
    expect(await verify(passwords, right, null)).toEqual({ outcome: 'mismatch' })
    const noted = openNoted()
    void noted.passwords.tryAcquire()?.verify(right, null)
    const job = noted.jobs[0]?.job ?? expect.fail('no job')
    expect(await runners[0]?.run(job)).toEqual({ outcome: 'mismatch' })
  })

  const unreadable = {
    empty: '',
    plain: right,
    'MD5 crypt': '$1$abcdefgh$G9RmAcJ4pdqYfpMCuWl6T.',
    'cut short': hashes.argon2id.slice(0, 60),
    'followed by a line': `${hashes.argon2id}\n`,
    'argon2 of 2 GiB': hashes.argon2id.replace('m=1024', 'm=2097152'),
    'argon2 of 512 MiB with 3 passes': hashes.argon2id.replace('m=1024,t=1', 'm=524288,t=3'),
    'argon2 with 21 passes': hashes.argon2id.replace('t=1', 't=21'),
    'argon2 with too little memory for its lanes': hashes.argon2id.replace('p=1', 'p=129'),
    'argon2 with unused bits of the salt set': hashes.argon2id.replace('sdA$', 'sdB$'),
    'argon2 with unused bits of the digest set': hashes.argon2id.replace(/g$/, 'h'),
    'bcrypt at cost 15': '$2b$15$abcdefghijklmnopqrstuu5sP5wC.m3/aNr27GJdh9NoEOJ/EHLaS',
    'bcrypt with unused bits set': hashes.$2b$.replace('stuu', 'stuv'),
  }
  it.each(Object.entries(unreadable))(
    'costs one dummy verification when the hash is unreadable: %s',
    async (_, hash) => {
      const noted = openNoted()
      const check = verify(noted.passwords, right, hash)
      expect(noted.jobs).toHaveLength(1)
      expect(noted.jobs[0]?.job).toMatchObject({ algorithm: 'argon2', password: right })
      expect(noted.jobs[0]?.job).not.toMatchObject({ hash })
      noted.jobs[0]?.answer({ outcome: 'match' })
      expect(await check).toEqual({ outcome: 'unreadable' })
    },
  )

  it('costs a dummy verification when only the algorithm finds the fault', async () => {
    const noted = openNoted()
    const check = verify(noted.passwords, right, hashes.argon2id)
    noted.jobs[0]?.answer({ outcome: 'failed', reason: 'unknown' })
    await expect.poll(() => noted.jobs.length).toBe(2)
    noted.jobs[1]?.answer({ outcome: 'match' })
    expect(await check).toEqual({ outcome: 'unreadable' })
  })
})

describe('tryAcquire', () => {
  it('refuses beyond the bound until a slot is released; releasing twice counts once', () => {
    const { passwords } = openNoted({ ...cheap, queue: 1 })
    const first = tryAcquire(passwords)
    tryAcquire(passwords)
    expect(passwords.tryAcquire()).toBeNull()
    first.release()
    first.release()
    expect(passwords.tryAcquire()).not.toBeNull()
    expect(passwords.tryAcquire()).toBeNull()
  })

  it('computes at most the configured number at once, in order', async () => {
    const { passwords, jobs } = openNoted({ ...cheap, concurrency: 2 })
    const checks = ['a', 'b', 'c', 'd'].map((password) => verify(passwords, password, null))
    const computed = () => jobs.map(({ job }) => job.password).join('')
    expect(computed()).toBe('ab')
    jobs[1]?.answer({ outcome: 'mismatch' })
    await checks[1]
    expect(computed()).toBe('abc')
    jobs[0]?.answer({ outcome: 'mismatch' })
    await checks[0]
    expect(computed()).toBe('abcd')
  })

  it('computes nothing for a slot that was released while it waited', async () => {
    const { passwords, jobs } = openNoted()
    const first = verify(passwords, 'a', null)
    const second = tryAcquire(passwords)
    const given = second.verify('b', null)
    const third = verify(passwords, 'c', null)
    second.release()
    expect(await given).toEqual({ outcome: 'not-started' })
    jobs[0]?.answer({ outcome: 'mismatch' })
    await first
    expect(jobs.map(({ job }) => job.password)).toEqual(['a', 'c'])
    jobs[1]?.answer({ outcome: 'mismatch' })
    await third
    expect(await second.verify('b', null)).toEqual({ outcome: 'not-started' })
    expect(jobs).toHaveLength(2)
  })
})

describe('the hashing process', () => {
  const slow = { memoryKiB: 64 * 1024, passes: 16, concurrency: 1 } as const

  it('rejects running jobs when it is killed, and is started again', async () => {
    const { passwords, pid, runners } = open(slow)
    const lost = expect(verify(passwords, right, null)).rejects.toThrow('Hashing stopped')
    const waited = verify(passwords, right, hashes.argon2id)
    process.kill(pid(), 'SIGKILL')
    await lost
    expect(await waited).toMatchObject({ outcome: 'match' })
    expect(await verify(passwords, right, hashes.argon2id)).toMatchObject({ outcome: 'match' })
    expect(runners).toHaveLength(2)
  })

  it('ignores signals that are sent to the whole process group', async () => {
    const { passwords, pid, runners } = open()
    await verify(passwords, right, null)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid(), signal)
    expect(await verify(passwords, right, hashes.argon2id)).toMatchObject({ outcome: 'match' })
    expect(runners).toHaveLength(1)
  })

  it('ends at close and rejects running and later jobs', async () => {
    const { passwords, pid } = open(slow)
    const running = expect(verify(passwords, right, null)).rejects.toThrow('closed')
    const waiting = expect(verify(passwords, right, null)).rejects.toThrow('closed')
    passwords.close()
    await running
    await waiting
    await expect(verify(passwords, right, null)).rejects.toThrow('closed')
    await expect.poll(() => isThere(pid())).toBe(false)
  })

  it.each([
    ['uses', ''],
    ['used', 'passwords.close()'],
  ])('lets the program that %s it end by itself', async (_what, closing) => {
    const built = new URL('../../build/src/core/passwords/passwords.js', import.meta.url)
    const script = `
      const { createPasswords } = await import(${JSON.stringify(built.href)})
      const passwords = createPasswords(${JSON.stringify(cheap)})
      const check = await passwords.tryAcquire().verify('x', null)
      ${closing}
      const idle = !process.getActiveResourcesInfo().includes('Timeout')
      process.exitCode = check.outcome === 'mismatch' && idle ? 0 : 1`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 12_000,
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('runs every thread at the lowest priority', async () => {
    const built = new URL('../../build/src/core/passwords/hashing.js', import.meta.url)
    // The tests themselves let it hash at their own priority.
    const script = `
      const { getPriority } = await import('node:os')
      const { readdirSync } = await import('node:fs')
      const { startHashProcess } = await import(${JSON.stringify(built.href)})
      const { pid, ping, end } = startHashProcess(1)
      await ping()
      const isLinux = process.platform === 'linux'
      const threads = isLinux ? readdirSync('/proc/' + pid + '/task').map(Number) : [pid]
      console.log(...new Set(threads.map((thread) => getPriority(thread))))
      end()`
    const args = ['--input-type=module', '-e', script]
    expect((await promisify(execFile)(process.execPath, args)).stdout).toBe('19\n')
  })

  it.runIf(process.platform === 'linux')(
    'does not receive the environment of the host',
    async () => {
      process.env['SVC_TEST_SECRET'] = 'secret'
      process.env['NODE_OPTIONS'] = '--no-warnings'
      const { passwords, pid } = open()
      await verify(passwords, right, null)
      delete process.env['SVC_TEST_SECRET']
      delete process.env['NODE_OPTIONS']
      const environment = readFileSync(`/proc/${pid()}/environ`, 'utf8')
      expect(environment).toContain('UV_THREADPOOL_SIZE=1')
      expect(environment).not.toMatch(/SVC_TEST_SECRET|NODE_OPTIONS/)
    },
  )
})

describe('services of one program', () => {
  const slow = { memoryKiB: 64 * 1024, passes: 20, lanes: 1 } as const
  const quick = { kind: 'verify', algorithm: 'argon2', hash: hashes.argon2id } as const

  /** A share that is ended after the test. */
  function share(concurrency: number) {
    const runner = shareHashProcess(concurrency)
    onTestFinished(() => runner.end())
    return { ...runner, pid: runner.pid ?? expect.fail('no process') }
  }

  it('share a process when they have the same concurrency', () => {
    const [one, another, wider] = [share(1), share(1), share(2)]
    expect(another.pid).toBe(one.pid)
    expect(wider.pid).not.toBe(one.pid)
  })

  it('reject only their own running and later jobs when they end', async () => {
    const closing = createPasswords(cheap)
    const other = createPasswords(cheap)
    const lost = expect(verify(closing, right, null)).rejects.toThrow('closed')
    const kept = verify(other, right, hashes.argon2id)
    closing.close()
    await lost
    await expect(verify(closing, right, null)).rejects.toThrow('closed')
    expect(await kept).toMatchObject({ outcome: 'match' })
    expect(await verify(other, right, hashes.argon2id)).toMatchObject({ outcome: 'match' })
    other.close()
  })

  it('compute nothing for a service that has ended', async () => {
    const [ended, other] = [share(1), share(1)]
    ended.end()
    expect([ended.alive(), other.alive()]).toEqual([false, true])
    await expect(ended.run({ ...quick, password: right })).rejects.toThrow('closed')
    expect(await other.run({ ...quick, password: right })).toEqual({ outcome: 'match' })
  })

  it('get a new process when theirs has died', async () => {
    const died = share(1)
    process.kill(died.pid, 'SIGKILL')
    await expect.poll(() => died.alive()).toBe(false)
    const next = share(1)
    died.end()
    expect(await next.run({ ...quick, password: right })).toEqual({ outcome: 'match' })
    expect(next.pid).not.toBe(died.pid)
  })

  it('end the process at once when the last one leaves jobs behind', async () => {
    const last = share(3)
    const lost = expect(last.run({ kind: 'hash', password: right, parameters: slow }))
    last.end()
    await lost.rejects.toThrow('closed')
    await expect.poll(() => isThere(last.pid), { timeout: 500 }).toBe(false)
  })

  it('end the process soon after the last one has ended, unless another starts', async () => {
    const [left, stays] = [share(1), share(1)]
    const [followed, last] = [share(2), share(3)]
    for (const runner of [left, left, followed, last]) runner.end()
    const next = share(2)
    expect(isThere(last.pid)).toBe(true)
    await expect.poll(() => isThere(last.pid), { timeout: 5_000 }).toBe(false)
    expect([stays.alive(), next.alive(), next.pid]).toEqual([true, true, followed.pid])
  })
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
