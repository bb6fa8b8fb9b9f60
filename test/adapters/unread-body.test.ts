import { createServer, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PanelAuth } from '@svc/auth'
import * as onExpress from '@svc/auth/express'
import * as onFastify from '@svc/auth/fastify'
import * as onHono from '@svc/auth/hono'
import * as onNode from '@svc/auth/node'
import { bytesOf, sendRaw } from '../support/raw.ts'
import { startService } from '../support/service.ts'
import { listening } from './listening.ts'

const servers: Readonly<Record<string, (auth: PanelAuth) => Promise<Server>>> = {
  'node:http': async (auth) => createServer(onNode.mount(auth)),
  Express: async (auth) => createServer(express().use(onExpress.mount(auth))),
  Fastify: async (auth) => {
    const app = fastify()
    await app.register(onFastify.mount(auth))
    await app.ready()
    return app.server
  },
  Hono: async (auth) =>
    createAdaptorServer(new Hono().use(onHono.mount(auth, getConnInfo))) as Server,
}

const HOST: [string, string] = ['Host', 'panel.test']
const SMUGGLED = bytesOf({ target: '/svc/api/smuggled', headers: [HOST] })
const LAST = bytesOf({ target: '/svc/api/last', headers: [HOST, ['Connection', 'close']] })

describe.each(Object.entries(servers))('A body that %s leaves unread', (_name, serve) => {
  it.each<[string, number, string]>([
    ['of a length', 403, `Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`],
    [
      'in chunks',
      403,
      `Transfer-Encoding: chunked\r\n\r\n${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    ],
    ['of a length, with many bytes', 413, `Content-Length: 300000\r\n\r\n${' '.repeat(300_000)}`],
    ['in chunks, without a byte', 403, `Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ])(
    '%s, answered with %i: its rest is not read as the next request on the connection',
    async (_what, refused, rest) => {
      const targets: string[] = []
      const { auth } = await startService()
      const noting: PanelAuth = {
        ...auth,
        async handle(request) {
          targets.push(request.target)
          return auth.handle(request)
        },
      }
      const host = await listening(await serve(noting))
      onTestFinished(host.close)
      const first = `POST /svc/api/logout HTTP/1.1\r\nHost: panel.test\r\n${rest}`
      const answers = await sendRaw(host.url, first + LAST)
      // The connection may also end with the first answer.
      expect([1, 2]).toContain(answers.length)
      const statuses = answers.map(({ status }) => status)
      expect(statuses[0]).toBe(refused)
      expect(statuses[1] ?? 404).toBe(404)
      expect(['/svc/api/logout', '/svc/api/last']).toEqual(expect.arrayContaining(targets))
    },
  )
})
