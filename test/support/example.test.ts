import { expect, it } from 'vitest'
import { loggedIn } from '../support/logins.ts'
import { LOGOUT, USER } from '../support/paths.ts'
import { startService } from '../support/service.ts'
import { GUEST, verdict } from '../support/verdicts.ts'

it('ends the session when the user logs out', async () => {
  const service = await startService()
  const una = await loggedIn(service, 'u1@x.test')
  expect(verdict(await una.post(LOGOUT))).toBe('ok')
  expect(verdict(await una.get(USER))).toBe(GUEST)
})
