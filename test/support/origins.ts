import { type PanelConfig } from '@svc/auth'
import { expect } from 'vitest'
import { cookieHeader, plainRequest } from './plain-request.ts'
import { startService } from './service.ts'
import { SECURE_SESSION, SESSION, TLS, TOKEN } from './session-cookies.ts'

export const HOST = 'panel.example.test'

export const DEV = 'http://localhost:5173'

export const EVIL = 'https://evil.test'

/** Headers of a request, besides the cookies; what is left out is not sent. */
export type Signals = Readonly<Record<string, string | null>>

interface Setup {
  readonly appUrl?: string
  readonly stateful?: readonly string[]
  readonly environment?: NonNullable<PanelConfig['environment']>
  /** The origin of the visitor, if it is not the panel's own. */
  readonly from?: string
}

/** A visitor with its cookies, who has logged in. */
export async function userFrom(setup: Setup = {}) {
  const visiting = await visitorFrom(setup)
  expect((await visiting.una.logIn('u1@x.test')).status).toBe(200)
  return visiting
}

/**
 * A visitor with its cookies, and how a request with these and the right token is judged: as a read of the user
 * where the method is safe, else as a login that has no fields. 200: let through.
 */
export async function visitorFrom({
  appUrl = TLS,
  stateful = [HOST],
  environment,
  from = appUrl,
}: Setup = {}) {
  const { auth, browser, log } = await startService({
    appUrl,
    config: {
      session_auth: { stateful },
      limits: { login: { max: 100_000, window_seconds: 60 } },
      ...(environment !== undefined && { environment }),
    },
  })
  const una = browser({ origin: from })
  await una.get('/svc/api/csrf-cookie')
  const session = appUrl.startsWith('https:') ? SECURE_SESSION : SESSION

  async function judge(method: string, signals: Signals): Promise<number> {
    const safe = ['GET', 'HEAD'].includes(method)
    const headers = {
      cookie: cookieHeader({ [session]: una.cookie(session) ?? '' }),
      'x-xsrf-token': una.cookie(TOKEN),
      ...signals,
    }
    const { status } = await auth.handle(
      plainRequest({
        method,
        target: safe ? '/svc/api/user' : '/svc/api/login',
        headers,
        ...(!safe && { body: {} }),
      }),
    )
    return status === 422 ? 200 : status
  }

  return { log, una, browser, judge }
}
