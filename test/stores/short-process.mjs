// Logs in, sends a notification, and ends without closing anything.
import { createPanelAuth, hashPassword } from '@svc/auth'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'

const [, , file, how] = process.argv
const stores = sqliteStores(how === 'openSqlite' ? openSqlite(file) : file)
const url = 'http://localhost:3000'
const password = 'correct horse battery staple'
const ada = {
  id: 'ada',
  email: 'ada@example.com',
  name: 'Ada',
  hash: await hashPassword(password, { memoryKiB: 64, passes: 1 }),
}
const auth = createPanelAuth({
  config: {
    app: { url, keys: ['a-key-of-this-test-that-is-long-enough-0123456789'] },
    session_auth: { stateful: ['localhost:3000'] },
    svc: { prefix: 'admin', panels: ['main'] },
    passwords: { memory_kib: 64, passes: 1 },
  },
  stores,
  users: {
    findById: async (id) => (id === ada.id ? ada : null),
    findByEmail: async (email) => (email === ada.email ? ada : null),
    identify: (user) => user,
    passwordHash: (user) => user.hash,
  },
})

const from = { address: '127.0.0.1' }
const first = await auth.fetch(new Request(`${url}/svc/api/csrf-cookie`), from)
const cookies = first.headers.getSetCookie().map((line) => line.split(';')[0])
const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice(11) ?? ''
const { status } = await auth.fetch(
  new Request(`${url}/svc/api/login`, {
    method: 'POST',
    headers: {
      origin: url,
      'content-type': 'application/json',
      cookie: cookies.join('; '),
      'x-xsrf-token': decodeURIComponent(token),
    },
    body: JSON.stringify({ email: ada.email, password }),
  }),
  from,
)
const greeting = {
  type: 'greeting',
  via: () => ['database'],
  toDatabase: () => ({ title: 'Hello' }),
}
for (let number = 0; number < 20; number += 1) await auth.notify(ada, greeting)
console.log(status)
if (how === 'exit') process.exit(0)
