import { users, type Person } from '@example/shop'
import type { Request } from 'express'
import * as client from 'openid-client'
import { url } from './auth.ts'
import { CLIENT, ISSUER } from './provider.ts'

/** What this browser must present again with the answer of the provider. */
interface PendingLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Whom the provider has checked, and whether by a second factor, too. */
export interface Checked {
  readonly person: Person
  readonly secondFactor: 'asked' | 'done'
}

const callback = `${url}/sso/callback`
// Its prefix keeps other hosts of the domain from planting it.
const COOKIE = url.startsWith('https:') ? '__Host-sso' : 'sso'

let provider: Promise<client.Configuration> | null = null

/** Reads the metadata of the provider at the first login, and again after a failure. */
async function discovered(): Promise<client.Configuration> {
  // Only for the provider of this example: a real one has https.
  const options = ISSUER.startsWith('http:') ? { execute: [client.allowInsecureRequests] } : {}
  provider ??= client.discovery(new URL(ISSUER), CLIENT.id, CLIENT.secret, undefined, options)
  provider.catch(() => (provider = null))
  return provider
}

/** Returns the address of the provider, and the cookie that binds the answer to this browser. */
export async function beginLogin(): Promise<{ location: string; cookie: string }> {
  const verifier = client.randomPKCECodeVerifier()
  const login: PendingLogin = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier,
  }
  const location = client.buildAuthorizationUrl(await discovered(), {
    redirect_uri: callback,
    scope: 'openid email',
    state: login.state,
    nonce: login.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const value = Buffer.from(JSON.stringify(login)).toString('base64url')
  return { location: location.href, cookie: cookieOf(value, 600) }
}

/** The cookie of a login that is over. */
export const endedLogin = cookieOf('', 0)

function cookieOf(value: string, seconds: number): string {
  const secure = url.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

/** Checks the answer of the provider; `null`: it is not of this browser, or names nobody. */
export async function finishLogin(request: Request): Promise<Checked | null> {
  const login = pendingLoginOf(request)
  if (login === null) return null
  const answer = new URL(request.originalUrl, url)
  try {
    const tokens = await client.authorizationCodeGrant(await discovered(), answer, {
      expectedState: login.state,
      expectedNonce: login.nonce,
      pkceCodeVerifier: login.verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    const person = claims === undefined ? null : await personOf(claims)
    return person && { person, secondFactor: isByTwoFactors(claims?.['amr']) ? 'done' : 'asked' }
  } catch (error) {
    console.warn('a login was refused', error)
    return null
  }
}

function pendingLoginOf({ headers: { cookie = '' } }: Request): PendingLogin | null {
  const pairs = cookie.split('; ').filter((pair) => pair.startsWith(`${COOKIE}=`))
  const [value, ...others] = pairs.map((pair) => pair.slice(COOKIE.length + 1))
  if (value === undefined || others.length > 0) return null
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString())
  } catch {
    return null
  }
}

/** The users by their `sub` at the provider: a column of the users table in a real application. */
const linked = new Map<string, string>()

/**
 * Finds the user by `sub`. An email address finds a user once, and only where the provider has
 * verified it: another person may own the address later.
 */
async function personOf(claims: client.IDToken): Promise<Person | null> {
  const { sub, email, email_verified: isVerified } = claims
  const id = linked.get(sub)
  if (id !== undefined) return users.findById(id, null)
  if (typeof email !== 'string' || isVerified !== true) return null
  const person = await users.findByEmail(email.toLowerCase(), null)
  if (person === null || [...linked.values()].includes(person.id)) return null
  linked.set(sub, person.id)
  return person
}

// RFC 8176. Trust them only from a provider of yours.
const SECOND_FACTORS = new Set(['mfa', 'otp', 'hwk', 'swk'])

function isByTwoFactors(amr: unknown): boolean {
  return Array.isArray(amr) && amr.some((method) => SECOND_FACTORS.has(method))
}
