// Data that all example applications share: users, their second factor and orders, kept in memory.
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import QRCode from 'qrcode'

// "correct horse battery staple"
const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$3GqbbVREkMFv1L0B6RM4Vw$9Tt7caFNr0iufbr/FGH23tisYLZzX6QIRFFk/LNYZ/A'

const people = new Map(
  [
    { id: '1', name: 'Ada', totpSecret: null },
    // Bea needs a code. Add this secret to an authenticator app to try it.
    { id: '2', name: 'Bea', totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
    // Eve must verify her email first; that needs the mailer below.
    { id: '3', name: 'Eve', totpSecret: null, ...verifiable() },
    // Rex must set up a second factor first.
    { id: '4', name: 'Rex', totpSecret: null, mustUseTwoFactor: true },
  ].map((person) => [
    person.id,
    { ...person, email: `${person.name.toLowerCase()}@example.com`, passwordHash },
  ]),
)

function verifiable() {
  let isVerified = false
  return {
    hasVerifiedEmail: () => isVerified,
    markEmailAsVerified: async () => {
      isVerified = true
    },
  }
}

/** Prints each mail, in place of sending it. */
export const mailer = {
  send: async ({ to, text }) => console.log(`Mail to ${to}: ${text}`),
}

export const users = {
  findById: async (id) => people.get(id) ?? null,
  findByEmail: async (email) => [...people.values()].find((one) => one.email === email) ?? null,
  identify: ({ id, email, name }) => ({ id, email, name }),
  passwordHash: (person) => person.passwordHash,
  present: ({ id, name, email }) => ({ id, name, email, email_verified_at: null }),
}

const totp = (secret, label = '') =>
  new TOTP({ secret: Secret.fromBase32(secret), issuer: 'Shop', label })

// Each TOTP secret: the last time step that was accepted, and the unused recovery codes.
const usedSteps = new Map()
const recoveryCodes = new Map()

function acceptOnce(key, secret, code) {
  const drift = totp(secret).validate({ token: code.replaceAll(' ', ''), window: 1 })
  if (drift === null) return false
  const step = Math.floor(Date.now() / 30_000) + drift
  if (step <= (usedSteps.get(key) ?? 0)) return false
  usedSteps.set(key, step)
  return true
}

export const twoFactor = {
  isEnabledFor: ({ totpSecret }) => totpSecret !== null,
  isRequiredFor: ({ mustUseTwoFactor }) => mustUseTwoFactor === true,
  verify: ({ totpSecret }, code) =>
    totpSecret !== null &&
    (acceptOnce(totpSecret, totpSecret, code) ||
      recoveryCodes.get(totpSecret)?.delete(code) === true),
  newSecret: () => new Secret({ size: 20 }).base32,
  qrCode: ({ email }, secret) => QRCode.toDataURL(totp(secret, email).toString()),
  verifySetup: (secret, code) => acceptOnce(secret, secret, code),
  enable(person, secret) {
    const codes = Array.from({ length: 8 }, () => randomBytes(8).toString('hex'))
    recoveryCodes.set(secret, new Set(codes))
    people.set(person.id, { ...person, totpSecret: secret })
    return codes
  },
  disable: (person) => void people.set(person.id, { ...person, totpSecret: null }),
}

const orders = [{ id: 1, item: 'Coffee', by: 'Ada' }]

export const listOrders = () => orders

export function addOrder(item, by) {
  const order = { id: orders.length + 1, item, by }
  orders.push(order)
  return order
}

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The page `/reports`: the orders, and a form that adds one. */
export const reportsPage = (name) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Reports</title>
  <link rel="icon" href="data:,">
  <h1>Reports for ${escape(name)}</h1>
  <ul>${orders.map(({ item, by }) => `<li>${escape(item)}, by ${escape(by)}</li>`).join('')}</ul>
  <form method="post">
    <label>Item <input name="item" required></label>
    <button>Order</button>
  </form>
  <p><a href="/admin/main">Panel</a></p>
</html>`
