import { randomBytes } from 'node:crypto'
import express, { Router } from 'express'
import { Provider, type Account } from 'oidc-provider'
import { url } from './auth.ts'

/** The provider. Without one of your own, that of this file runs beside the application. */
export const ISSUER = process.env['OIDC_ISSUER'] ?? `${url}/identity`

/** The application, as the provider knows it. */
export const CLIENT = {
  id: process.env['OIDC_CLIENT_ID'] ?? 'shop',
  secret: process.env['OIDC_CLIENT_SECRET'] ?? randomBytes(32).toString('base64url'),
}

/** The accounts at the provider, by their `sub`. Mallory has typed an address of somebody else. */
const ACCOUNTS = new Map([
  ['ada', { email: 'ada@example.com', email_verified: true }],
  ['bea', { email: 'bea@example.com', email_verified: true }],
  ['mallory', { email: 'ada@example.com', email_verified: false }],
])

/** Creates the routes of the provider; nothing where another one is used. */
export function provider(): Router {
  const router = Router()
  if (process.env['OIDC_ISSUER'] !== undefined) return router
  const provider = new Provider(ISSUER, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${url}/sso/callback`],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/identity/login/${uid}` },
    cookies: { keys: [randomBytes(32).toString('base64')] },
    findAccount: (_context, sub) => accountOf(sub),
    // Nobody is asked whether the application may know them.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  router.get('/identity/login/:uid', (_request, response) => void response.send(PAGE))
  router.post('/identity/login/:uid', express.urlencoded(), async (request, response) => {
    const { account, factor } = request.body
    const amr = factor === 'on' ? ['pwd', 'otp'] : ['pwd']
    await provider.interactionFinished(request, response, {
      login: { accountId: String(account), amr },
    })
  })
  return router.use('/identity', provider.callback())
}

function accountOf(sub: string): Account | undefined {
  const account = ACCOUNTS.get(sub)
  return account && { accountId: sub, claims: () => ({ sub, ...account }) }
}

const PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Identity</title>
  <link rel="icon" href="data:,">
  <h1>Identity</h1>
  <form method="post">
    <label>Account <input name="account" required></label>
    <label><input type="checkbox" name="factor"> With a second factor</label>
    <button>Log in</button>
  </form>
</html>`
