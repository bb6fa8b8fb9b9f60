import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { callApi, logIn, sees } from './person.ts'
import type { Rig } from './rig.ts'

/** Somebody with an app on the phone. */
export interface Protected {
  readonly email: string
  readonly recoveryCodes: readonly string[]
  /** What the app shows; every code that is asked for is a new one. */
  code(): Promise<string>
}

let made = 0

/** Somebody whom no other test meets, called Bob. @returns the email. */
export async function newcomer(
  rig: Rig,
  needs: 'nothing' | 'verification' | 'second-factor',
): Promise<string> {
  const { users } = rig.panel
  const ada = await users.findByEmail('ada@example.com')
  if (ada === null) throw new Error('there is no ada')
  made += 1
  const email = `bob${made}@example.com`
  await users.create({
    email,
    name: 'Bob',
    passwordHash: ada.passwordHash,
    mustVerifyEmail: needs === 'verification',
    twoFactorRequired: needs === 'second-factor',
  })
  return email
}

/** Somebody new who has turned the second factor on, by the routes of the service. */
export async function protectedNewcomer(rig: Rig): Promise<Protected> {
  const email = await newcomer(rig, 'nothing')
  const { page, context } = await rig.visit()
  await logIn(page, '/admin/main', email)
  await sees(page, 'Welcome, Bob')
  const { secret } = (await callApi(page, 'two-factor/setup')).body as { readonly secret: string }
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => app.generate({ timestamp: rig.now() })
  const { status, body } = await callApi(page, 'two-factor/confirm', { code: code() })
  expect(status).toBe(200)
  await context.close()
  return {
    email,
    recoveryCodes: (body as { readonly recovery_codes: readonly string[] }).recovery_codes,
    async code() {
      await rig.advance({ seconds: 30 })
      return code()
    },
  }
}
