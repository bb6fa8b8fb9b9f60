import { describe, expect, it } from 'vitest'
import { ada, largeBells } from './large-bells.ts'

const COUNT = 100_000

describe.each(largeBells)('a bell of 100,000 entries on %s', (_name, open) => {
  it('is read and removed, each of its statements within the deadline', async () => {
    const { notifications } = await open(COUNT)
    expect(await notifications.latest(ada, 10 * COUNT)).toHaveLength(COUNT)
    expect(await notifications.deleteOf?.(ada)).toBe(COUNT)
    expect(await notifications.latest(ada, 1)).toEqual([])
  }, 120_000)
})
