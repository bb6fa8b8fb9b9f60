import { expect, it } from 'vitest'
import type { PlainReply } from '@svc/auth'
import { plainRequest } from '../support/plain-request.ts'
import { startService } from '../support/service.ts'

const DOCUMENT = plainRequest({ target: '/svc/api/openapi.json' })

it('The document is in memory once, however many answers wait for their clients', async () => {
  const { auth } = await startService()
  await auth.handle(DOCUMENT)
  const before = process.memoryUsage().heapUsed
  const waiting: PlainReply[] = []
  while (waiting.length < 3000) waiting.push(await auth.handle(DOCUMENT))
  const grownBytes = process.memoryUsage().heapUsed - before
  const bodyBytes = Number(waiting[0]?.headers['content-length'])
  expect(bodyBytes).toBeGreaterThan(20_000)
  expect(grownBytes).toBeLessThan((waiting.length * bodyBytes) / 2)
})
