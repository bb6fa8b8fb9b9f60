import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mount } from '@svc/auth/node'
import { fakeUsers } from '@svc/auth/testing'

// libuv makes the standard error that a child inherits synchronous, in this process too.
execFileSync(process.execPath, ['-e', ''], { stdio: 'inherit' })

// A service without a logger, whose failures have more text than a pipe holds.
const auth = createPanelAuth({
  config: {
    app: { url: 'http://localhost', keys: ['test-key-test-key-test-key-0123456789'] },
    session_auth: { stateful: ['localhost'] },
    svc: {
      prefix: 'admin',
      panels: ['main'],
      middleware: [async () => Promise.reject(new Error('x'.repeat(100_000)))],
    },
    spa: { off: true },
  },
  stores: memoryStores(),
  users: fakeUsers([]),
})
const server = createServer(mount(auth)).listen(Number(process.env.PORT), '127.0.0.1')
server.on('listening', () => process.send?.('listening'))
