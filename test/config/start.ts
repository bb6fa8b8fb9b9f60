import { ConfigError, createPanelAuth, type PanelAuthOptions } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeUsers, type FakeUser } from '@svc/auth/testing'
import { expect } from 'vitest'

type Options = PanelAuthOptions<FakeUser>
/** Options as a host in JavaScript may write them. */
export type Loose = Record<string, unknown>

export const KEY = 'jo3Yc0fJYwWS5SvnqGs0cMSYpnE1cyTpyb4Ft4kLQeI='
export const app = { url: 'https://panel.example.com', keys: [KEY] }
export const svc = { prefix: 'admin', panels: ['main'] }

/** Starts with right options, but for what is changed; `config` is changed key by key. */
function start({ config, ...others }: Loose = {}): void {
  const options: unknown = {
    config: {
      app,
      session_auth: { stateful: ['panel.example.com'] },
      svc,
      spa: { off: true },
      ...(config as Loose),
    },
    stores: memoryStores(),
    users: fakeUsers([]),
    ...others,
  }
  // Wrong on purpose, as a host in JavaScript can be.
  createPanelAuth(options as Options)
}

/** Starts and returns what the service complains of; "started" where it does not. */
export function complaint(changes: Loose): string {
  try {
    start(changes)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return error instanceof Error ? error.message : ''
  }
  return 'started'
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
