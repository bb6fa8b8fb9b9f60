import { createPanelAuth, type PanelAuth, type UserProvider } from '@svc/auth'
import * as client from '@svc/auth/client'
import * as express from '@svc/auth/express'
import * as fastify from '@svc/auth/fastify'
import * as web from '@svc/auth/fetch'
import * as hono from '@svc/auth/hono'
import { memoryStores } from '@svc/auth/memory'
import * as nestjs from '@svc/auth/nestjs'
import * as node from '@svc/auth/node'
import { postgresStores } from '@svc/auth/postgres'
import { redisStores } from '@svc/auth/redis'
import { sqliteStores } from '@svc/auth/sqlite'
import { fakeUsers, type FakeUser } from '@svc/auth/testing'

const users: UserProvider<FakeUser> = fakeUsers([])
const auth: PanelAuth<FakeUser> = createPanelAuth({
  config: {
    app: { url: 'http://localhost:3000', keys: ['development only: 0f3c 81a6 97bd'] },
    session_auth: { stateful: ['localhost:3000'] },
    svc: { prefix: 'admin', panels: ['main'] },
  },
  stores: memoryStores(),
  users,
})

async function main(): Promise<void> {
  const adapters = [express, fastify, hono, nestjs, node, web].map(({ guard }) => typeof guard)
  const stores = [postgresStores, redisStores, sqliteStores].map((create) => typeof create)
  const { status } = await auth.fetch(new Request('http://localhost:3000/svc/api/user'), {
    address: '203.0.113.9',
  })
  await auth.close()
  const parts = [...adapters, ...stores, typeof client.createAuthClient]
  process.stdout.write(JSON.stringify({ status, parts: [...new Set(parts)] }))
}

void main()
