import { describe, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import {
  attemptStoreCases,
  busCases,
  pendingLoginStoreCases,
  sessionStoreCases,
} from '@svc/auth/testing'
import type { StoreSubject } from '@svc/auth/testing'
import {
  freshPrefix,
  ioRedis,
  ioRedisCluster,
  nodeRedis,
  nodeRedisCluster,
  nodeRedisPool,
  ofTest,
} from '../support/redis.ts'

const clients = {
  ioredis: ioRedis,
  'node-redis': nodeRedis,
  'a pool of node-redis': nodeRedisPool,
  'a Cluster of ioredis': ioRedisCluster,
  'a cluster of node-redis': nodeRedisCluster,
}

const suites = {
  sessions: sessionStoreCases,
  'pending logins': pendingLoginStoreCases,
  attempts: attemptStoreCases,
  bus: busCases,
}

describe.each(Object.entries(clients))('the stores of Redis, through %s', (_name, make) => {
  const subject: StoreSubject = {
    open: async () => redisStores(ofTest(await make()), memoryStores(), { prefix: freshPrefix() }),
  }
  for (const [suite, cases] of Object.entries(suites)) {
    for (const { name, run } of cases) it(`${suite}: ${name}`, async () => run(subject))
  }
})
