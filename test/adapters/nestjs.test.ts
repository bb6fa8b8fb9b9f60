import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Controller, Get, Module, Req, UseGuards } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { describe } from 'vitest'
import { guard, mount, userOf } from '@svc/auth/nestjs'
import type { PanelAuth } from '@svc/auth'
import type { AdapterUser } from '@svc/auth/testing'
import { listening } from './listening.ts'
import { decorate, platforms } from './nest-app.ts'
import { itKeepsTheContract } from './publish.ts'

describe.each(platforms)('the adapter of NestJS, on %s', (_platform, adapter) => {
  itKeepsTheContract({
    async serve(auth) {
      let calls = 0
      const module = moduleOf(auth, () => (calls += 1))
      const app = await NestFactory.create(module, adapter(), {
        logger: false,
        abortOnError: false,
      })
      app.use(mount(auth))
      app.use(hostsOwn)
      await app.init()
      await app.getHttpAdapter().getInstance().ready?.()
      return listening(app.getHttpServer() as Server, () => calls)
    },
  })
})

/** Applies decorators, because the tests are compiled without them. */
function moduleOf(auth: PanelAuth<AdapterUser>, called: () => void): new () => object {
  class People {
    list(request: object): object {
      called()
      return { seenBy: userOf(auth, request)?.id }
    }
  }
  const method = [Get('people'), UseGuards(guard(auth))]
  decorate(People, 'list', { method, parameter: [Req()] })
  Controller('host')(People)
  const module = class extends Object {}
  Module({ controllers: [People] })(module)
  return module
}

function hostsOwn({ url = '' }: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (url.startsWith('/host/people')) next()
  else response.writeHead(404).end('nothing of the host')
}
