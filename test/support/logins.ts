import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { expect } from 'vitest'
import type { HashReply } from '../../dist/src/core/passwords/hashing.js'
import type { Answer, Browser } from './browser.ts'
import type { TestService } from './service.ts'

export const LOGIN = '/svc/api/login'

/** Takes the limit of the route away, so that a test meets what stands behind it. */
export const UNRATIONED = { login: { max: 100_000, window_seconds: 60 } } as const

let hashes = 0
const hashProcesses: ChildProcess[] = []
subscribe('child_process', (message) => {
  // What the channel is documented to carry.
  const { process: child } = message as { readonly process: ChildProcess }
  hashProcesses.push(child)
  child.on('message', (reply) => {
    // The answer to a ping is no hash.
    if ((reply as HashReply).answer !== null) hashes += 1
  })
})

/** Starts to count what the hashing processes compute, for somebody or for nobody. @returns how much so far. */
export function countHashes(): () => number {
  const before = hashes
  return () => hashes - before
}

/** Stops the hashing processes of this test file, as a debugger or a frozen machine does. @returns how to continue. */
export function stopHashing(): () => void {
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    for (const child of hashProcesses) if (child.pid !== undefined) child.kill(name)
  }
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

/** A browser that has its cookies. */
export async function visitor(
  { browser }: TestService,
  options?: Parameters<TestService['browser']>[0],
): Promise<Browser> {
  const opened = browser(options)
  await opened.get('/svc/api/csrf-cookie')
  return opened
}

/** What an answer comes to: `ok`, or the key of its refusal, whose body is what the contract says. */
export function verdict({ status, headers, json }: Answer): string {
  expect(headers['cache-control']).toBe('no-store')
  if (status < 300) return 'ok'
  expect(json).toMatchObject({ message: expect.any(String), key: expect.any(String) })
  if (json.retry_after !== undefined) expect(headers['retry-after']).toBe(String(json.retry_after))
  return `${status} ${json.key.replace('svc::auth.', '')}`
}

export const FAILED = '422 failed'
export const THROTTLED = '422 throttle'
export const LIMITED = '429 too_many_requests'
export const INVALID = '422 invalid'
export const UNAVAILABLE = '503 unavailable'

/** One login, and what came of it. */
export async function attempt(
  browser: Browser,
  email: string,
  password = 'wrong',
  headers: Readonly<Record<string, string | readonly string[] | null>> = {},
): Promise<string> {
  return verdict(await browser.post(LOGIN, { email, password }, { headers }))
}

/** So many wrong passwords, one after the other. */
export async function wrongLogins(
  browser: Browser,
  count: number,
  email = 'u1@x.test',
): Promise<readonly string[]> {
  const verdicts: string[] = []
  for (let made = 0; made < count; made += 1) verdicts.push(await attempt(browser, email))
  return verdicts
}

/** The same verdict so many times. */
export function times(count: number, verdict: string): readonly string[] {
  return Array.from({ length: count }, () => verdict)
}

/** Something to wait at until it is opened. */
export function barrier(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open }
}
