// A host on node:http that closes by `closeOnSignals`. `OWN_STOP` gives it a listener of its own, which closes its
// server later, and `FIRST_STOP` one that comes first and closes it at once, as Next.js does; `CLOSING` tells how its
// services close; `CERTIFICATE` makes it a server of HTTP/2 that also takes HTTP/1.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createPanelAuth, hashPassword } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { closeOnSignals, mount } from '@svc/auth/node'
import { fakeUsers } from '@svc/auth/testing'

const url = `http://127.0.0.1:${process.env.PORT}`
const passwordHash = await hashPassword(process.env.PASSWORD, { memoryKiB: 64, passes: 1 })

const auth = createPanelAuth({
  config: {
    app: { url, keys: [randomBytes(32).toString('base64')] },
    session_auth: { stateful: [new URL(url).host] },
    svc: { prefix: 'admin', panels: ['main'] },
    passwords: { memory_kib: 64, passes: 1 },
    spa: { off: true },
  },
  stores: memoryStores(),
  users: fakeUsers([{ id: 'u1', email: 'u1@x.test', name: 'Una', passwordHash }]),
})
const { CLOSING = 'closes', FIRST_STOP, OWN_STOP } = process.env
if (FIRST_STOP !== undefined) process.once(FIRST_STOP, () => end())
const closings = {
  closes: async () => auth.close(),
  fails: async () => {
    throw new Error('the stores are away')
  },
  hangs: async () => new Promise(() => setInterval(() => undefined, 1000)),
}
for (const service of ['first', 'second']) {
  closeOnSignals({
    async close() {
      console.log(`closing the ${service}`)
      await closings[CLOSING]()
    },
  })
}

const serve = mount(auth)
function answer(request, response) {
  if (request.url === '/slow') {
    setTimeout(() => {
      console.log('finished')
      response.end('finished')
    }, 800)
  } else if (request.url === '/never') response.write('begun')
  else serve(request, response)
}
const { CERTIFICATE, KEY } = process.env
const secure = () => ({ allowHTTP1: true, cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) })
const server = CERTIFICATE ? createSecureServer(secure(), answer) : createServer(answer)
server.on('upgrade', (_request, socket) => {
  socket.on('error', () => undefined).write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
})
function end() {
  server.close(() => setTimeout(() => process.exit(7), 200))
}
if (OWN_STOP !== undefined) {
  process.once(OWN_STOP, () => {
    console.log('stopping')
    setTimeout(end, 500)
  })
}
server.listen(process.env.PORT, '127.0.0.1', () => console.log('ready'))
