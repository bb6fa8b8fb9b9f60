import { ConfigError, createPanelAuth, type PanelAuthOptions } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers, type FakeUser } from '@svc/auth/testing'
import { expect } from 'vitest'

type Options = PanelAuthOptions<FakeUser>
/** Options as a host in JavaScript may write them. */
export type Loose = Record<string, unknown>

/** A wrong configuration, the option that the message must name, and the remedy that it must say. */
export type Row = readonly [what: string, changes: Loose, option: string, remedy: RegExp]

/** A wrong value, the option that has it, and the remedy that the message must say. */
export type Wrong = readonly [what: string, option: string, value: unknown, remedy: RegExp]

export const KEY = 'jo3Yc0fJYwWS5SvnqGs0cMSYpnE1cyTpyb4Ft4kLQeI='
export const app = { url: 'https://panel.example.com', keys: [KEY] }
export const svc = { prefix: 'admin', panels: ['main'] }

const right = {
  app,
  session_auth: { stateful: ['panel.example.com'] },
  svc,
  spa: { off: true },
}

/** Starts with right options, but for what is changed; `config` is changed key by key. */
function start({ config, ...others }: Loose = {}): void {
  const options: unknown = {
    config: { ...right, ...(config as Loose) },
    stores: memoryStores(),
    users: fakeUsers([]),
    ...others,
  }
  // Wrong on purpose, as a host in JavaScript can be.
  createPanelAuth(options as Options)
}

/** Starts and returns the message of its ConfigError; "started" if it throws none. */
export function complaint(changes: Loose): string {
  return messageOf(() => start(changes))
}

/** Expects a refusal that names the option and the remedy, and repeats no secret. */
export function expectComplaint(changes: Loose, option: string, remedy: RegExp): void {
  const message = complaint(changes)
  expectLine(message.split('\n'), option, remedy)
  expect(message).not.toMatch(/secret|Invalid input/)
}

/** Expects a line about the option that says the remedy. */
export function expectLine(lines: readonly string[], option: string, remedy: RegExp): void {
  const line = lines.find((one) => one.startsWith(`${option}: `))
  expect(line, lines.join('\n')).toMatch(remedy)
}

/** Returns the message of the ConfigError that a call throws; "started" if it throws none. */
export function messageOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return error instanceof Error ? error.message : ''
  }
  return 'started'
}

/** Starts and returns what the service logs about the options. */
export function warnings(changes: Loose): readonly string[] {
  const logged: string[] = []
  const logger = {
    warn: (_fields: object, message: string) => logged.push(message),
    error: () => undefined,
  }
  expect(complaint({ logger, ...changes })).toBe('started')
  return logged
}

/** Gives one option, such as `svc.panels[0]`, another value. */
export function at(option: string, value: unknown): Loose {
  const changed: Loose = structuredClone(right)
  // Every step is an object, or the list of the next step's index, and is made where it is missing.
  let place = changed
  const steps = Array.from(option.matchAll(/(\w+)(\[)?/g))
  for (const [, name = '', list] of steps.slice(0, -1))
    place = (place[name] ??= list === undefined ? {} : []) as Loose
  place[steps.at(-1)?.[1] ?? ''] = value
  return config(changed)
}

export const config = (changed: Loose): Loose => ({ config: changed })
export const withUrl = (url: unknown): Loose => config({ app: { ...app, url } })
export const withKeys = (...keys: unknown[]): Loose => config({ app: { ...app, keys } })
export const withStateful = (...stateful: unknown[]): Loose =>
  config({ session_auth: { stateful } })
export const withExpire = (expire: unknown): Loose => config({ auth: { verification: { expire } } })
export const without = (thing: object, method: string): object => ({
  ...thing,
  [method]: undefined,
})
