import { Redis } from 'ioredis'
import { inject, onTestFinished } from 'vitest'
import type { SessionRecord, Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import { freshPrefix, ioRedis, ofTest } from '../support/redis.ts'
import * as records from './records.ts'

/** The time to wait on a machine that is busy with other tests. */
export const patience = { timeout: 10_000 }

export const NOW = 1_800_000_000_000

export const MINUTE = 60_000

export const HOUR = 60 * MINUTE

export const DAY = 24 * HOUR

export const record: SessionRecord = {
  ...records.record,
  createdAt: NOW,
  lastSeenAt: NOW,
  expiresAt: NOW + HOUR,
}

export const login = { ...records.login, createdAt: NOW, expiresAt: NOW + 9 }

/** Opens the stores of a node. */
export function open(prefix = freshPrefix()): Stores {
  return redisStores(ofTest(ioRedis()), memoryStores(), { prefix })
}

/** Opens a client that looks into Redis beside the stores. */
export function adminOf(url = inject('redisUrl')): Redis {
  const redis = new Redis(url)
  onTestFinished(() => redis.disconnect())
  return redis
}

/** Returns the numbers from `from` to `to`. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
