import * as v from 'valibot'
import { ensureOptions, optionsOf } from '../contracts/call-options.ts'
import type { OpenSessionOptions, SessionOpening } from '../contracts/session-opening.ts'
import { openHostLogin } from '../core/login/host-login.ts'
import type { LoginParts } from '../core/login/login-parts.ts'
import { createSessionCookies } from './routes/session-cookies.ts'
import { sourceOf } from './routes/login-routes.ts'
import type { Service } from './service.ts'
import { requestOfHeaders } from './wire/headers-request.ts'

const optionsSchema = optionsOf({
  request: v.custom<OpenSessionOptions['request']>(
    (given) =>
      typeof given === 'object' && given !== null && isObject(Reflect.get(given, 'headers')),
    'give the request of the browser, or an object with its headers',
  ),
  tenant: v.optional(v.nullable(v.string('give a string or null'))),
  secondFactor: v.optional(v.picklist(['asked', 'done'], "give 'asked' or 'done'")),
  by: v.optional(v.string('give a text')),
})

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/**
 * Opens a session for a user whom the host has checked.
 *
 * @throws {ConfigError} An option is wrong.
 */
export async function openSession(
  service: Service,
  parts: LoginParts,
  host: unknown,
  options: OpenSessionOptions,
): Promise<SessionOpening> {
  ensureOptions('openSession', options, optionsSchema)
  const { request: given, tenant = null, secondFactor = 'asked', by = 'host' } = options
  await service.ready()
  const address = given.socket?.remoteAddress ?? given.address ?? null
  const request = requestOfHeaders(given.headers, { method: 'POST', address })
  const presentedId = service.cookies(tenant).read(request.header('cookie'))
  const source = { ...sourceOf(service, request, tenant), presentedId }
  const result = await openHostLogin(parts, { ...source, host, secondFactor, by })
  const sessionCookies = createSessionCookies(service.cookies, service.csrf)
  switch (result.outcome) {
    case 'authenticated':
      return { outcome: 'opened', cookies: sessionCookies.giveLogin(tenant, result)['set-cookie'] }
    case 'pending': {
      const cookies = sessionCookies.give(tenant, result.pendingId)['set-cookie']
      return { outcome: 'code-owed', cookies }
    }
    case 'refused':
      return result
  }
}
