import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import {
  Catch,
  Controller,
  Get,
  Module,
  Req,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { describe, expect, it } from 'vitest'
import { guard, mount, userOf } from '@svc/auth/nestjs'
import type { PanelAuth } from '@svc/auth'
import type { AdapterUser } from '@svc/auth/testing'
import { closedAfterTest } from '../support/after-test.ts'
import { startService } from '../support/service.ts'
import { listening } from './listening.ts'
import { decorate, nestApp, platforms } from './nest-app.ts'
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

  it('leaves what describes the body to the exception filter that shows a refusal', async () => {
    const { auth } = await startService()
    class Reports {
      show(): string {
        return 'the reports'
      }
    }
    class AsPage {
      catch(_error: unknown, host: ArgumentsHost): void {
        host.switchToHttp().getResponse<{ send(page: string): void }>().send('<h1>No</h1>')
      }
    }
    Catch()(AsPage)
    decorate(Reports, 'show', { method: [Get(), UseGuards(guard(auth)), UseFilters(AsPage)] })
    const { server } = await nestApp(adapter(), { reports: Reports })
    const host = closedAfterTest(await listening(server))
    const { headers, body } = await host.send({ target: '/reports' })
    expect(Buffer.from(body).toString()).toBe('<h1>No</h1>')
    expect(new Map(headers).get('content-type')).toMatch(/^text\//)
    expect(new Map(headers).has('content-security-policy')).toBe(false)
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
