import { randomBytes } from 'node:crypto'
import type { Signer } from '../crypto.ts'

const NONCE_CHARACTERS = 22
const TOKEN = /^[\w-]{65}$/

/**
 * Makes and checks CSRF tokens: a keyed MAC over the session id, so that a planted cookie or
 * another visitor's token is refused.
 */
export type Csrf = ReturnType<typeof createCsrf>

/**
 * Creates the token maker.
 *
 * @see docs/http-api.md, "Stateful requests and CSRF"
 */
export function createCsrf(signer: Signer) {
  return {
    issue(sessionId: string) {
      const nonce = randomBytes(16).toString('base64url')
      return nonce + signer.sign(sessionId, nonce)
    },
    verify(token: string | null, sessionId: string) {
      if (token === null || !TOKEN.test(token)) return false
      return signer.verify(
        token.slice(NONCE_CHARACTERS),
        sessionId,
        token.slice(0, NONCE_CHARACTERS),
      )
    },
  }
}
