import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { browserAt } from '../support/browser.ts'
import { CONFIRM, CONFIRM_DEVICE, DEVICES, SETUP } from '../support/paths.ts'
import type { Host } from './host.ts'

/** Somebody with an app on the phone. */
export interface Protected {
  readonly email: string
  readonly recoveryCodes: readonly string[]
  /** Returns the code of the app; each call returns a new one. */
  code(): Promise<string>
}

let made = 0

type Needs = 'nothing' | 'verification' | 'second-factor'

/** Somebody whom no other test meets, called Bob. @returns the email. */
export async function newcomer(host: Host, needs: Needs): Promise<string> {
  return create(host, { name: 'Bob', needs })
}

/** Somebody whom no other test meets, with a name. @returns the email. */
export async function newcomerNamed(host: Host, name: string): Promise<string> {
  return create(host, { name, needs: 'nothing' })
}

interface Newcomer {
  readonly name: string
  readonly needs: Needs
}

async function create(host: Host, { name, needs }: Newcomer): Promise<string> {
  const { users } = host.panel
  const ada = await users.findByEmail('ada@example.com')
  if (ada === null) throw new Error('there is no ada')
  made += 1
  const email = `bob${made}@example.com`
  await users.create({
    email,
    name,
    passwordHash: ada.passwordHash ?? '',
    mustVerifyEmail: needs === 'verification',
    requireTwoFactor: needs === 'second-factor',
  })
  return email
}

/** Somebody new who has turned the second factor on, by the routes of the service. */
export async function protectedNewcomer(host: Host, needs: Needs = 'nothing'): Promise<Protected> {
  return protect(host, needs, [])
}

/** Somebody new with a second factor, and with further apps of these names. */
export async function newcomerWithApps(host: Host, names: readonly string[]): Promise<Protected> {
  return protect(host, 'nothing', names)
}

async function protect(host: Host, needs: Needs, apps: readonly string[]): Promise<Protected> {
  const email = await newcomer(host, needs)
  const browser = browserAt(host.origin.replace('localhost', '127.0.0.1'), { origin: host.origin })
  expect((await browser.logIn(email)).status).toBe(200)
  const { secret } = (await browser.post(SETUP)).json as { readonly secret: string }
  const codeOf = (key: string) =>
    new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: host.now() })
  const code = () => codeOf(secret)
  const { status, json } = await browser.post(CONFIRM, { code: code() })
  expect(status).toBe(200)
  for (const name of apps) {
    await host.advance({ seconds: 30 })
    const begun = await browser.post(DEVICES, { code: code() })
    const { secret: key } = begun.json as { readonly secret: string }
    expect((await browser.post(CONFIRM_DEVICE, { name, code: codeOf(key) })).status).toBe(204)
  }
  return {
    email,
    recoveryCodes: (json as { readonly recovery_codes: readonly string[] }).recovery_codes,
    async code() {
      await host.advance({ seconds: 30 })
      return code()
    },
  }
}
