// Data that all example applications share: users, their second factors and orders, kept in memory.

// "correct horse battery staple"
const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$3GqbbVREkMFv1L0B6RM4Vw$9Tt7caFNr0iufbr/FGH23tisYLZzX6QIRFFk/LNYZ/A'

const people = new Map(
  [
    { id: '1', name: 'Ada' },
    { id: '2', name: 'Bea' },
    // Eve must verify her email first; that needs the mailer below.
    { id: '3', name: 'Eve', ...verifiable() },
    // Rex must set up a second factor first.
    { id: '4', name: 'Rex', mustUseTwoFactor: true },
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

export const mustUseTwoFactor = (person) => person.mustUseTwoFactor === true

// By the id of the user.
const stored = new Map([
  // Bea needs a code. Add this secret to an authenticator app to try it.
  ['2', { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', recoveryCodes: '[]', lastStep: 0 }],
])

function change(id, values, isAllowed) {
  const before = stored.get(id)
  if (before === undefined || !isAllowed(before)) return false
  stored.set(id, { ...before, ...values })
  return true
}

/** The second factors. An application with a database has `sqliteFactors(database)` in place of it. */
export const factors = {
  read: (id) => stored.get(id) ?? null,
  useStep: (id, { secret }, used) =>
    change(id, used, (row) => row.secret === secret && row.lastStep < used.lastStep),
  replaceRecoveryCodes: (id, read, recoveryCodes) =>
    change(id, { recoveryCodes }, (row) => row.recoveryCodes === read.recoveryCodes),
  enable(id, factor) {
    if (stored.has(id)) return false
    stored.set(id, factor)
    return true
  },
  disable: (id) => stored.delete(id),
  // Readable, because this file has the secret of Bea. Without this line, secrets are sealed.
  secrets: { read: (secret) => secret, write: (secret) => secret },
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
