import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe } from 'vitest'
import { guard, mount } from '@svc/auth/node'
import { itKeepsTheContract } from './publish.ts'
import { listening } from './listening.ts'

describe('the adapter of node:http', () => {
  itKeepsTheContract({
    serve: async (auth) => {
      const serve = mount(auth)
      const admit = guard(auth)
      let calls = 0
      return listening(
        createServer((request, response) => {
          serve(request, response, () => {
            if (request.url?.startsWith('/host/people')) return void listPeople(request, response)
            response.writeHead(404).end('nothing of the host')
          })
        }),
        () => calls,
      )

      async function listPeople(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const user = await admit(request, response)
        if (user === null) return
        calls += 1
        response.end(JSON.stringify({ seenBy: user.id }))
      }
    },
  })
})
