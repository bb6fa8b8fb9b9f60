import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { guard, mount } from '@svc/auth/node'
import { auth } from './auth.ts'

const serve = mount(auth)
const admit = guard(auth)

async function listOrders(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const user = await admit(request, response)
  if (user !== null) response.end(JSON.stringify({ seenBy: user.name })) // null: already answered
}

const server = createServer((request, response) => {
  serve(request, response, () => void listOrders(request, response))
})
server.listen(3000)
