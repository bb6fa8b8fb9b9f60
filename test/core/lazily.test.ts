import { describe, expect, it } from 'vitest'
import { lazily } from '../../build/src/service/lazily.js'

/** A part whose first load fails, and the numbers of its loads and of the times it settled. */
function failingOnce() {
  const counts = { loads: 0, settled: 0 }
  const load = lazily(async () => {
    counts.loads += 1
    if (counts.loads === 1) throw new Error('too many open files')
    return { settled: async () => void (counts.settled += 1) }
  })
  return { load, counts }
}

describe('a part that its first use loads', () => {
  it('is loaded once', async () => {
    const { load, counts } = failingOnce()
    await expect(load()).rejects.toThrow('too many open files')
    const [one, other] = await Promise.all([load(), load()])
    expect(one).toBe(other)
    expect(await load()).toBe(one)
    expect(counts.loads).toBe(2)
  })

  it('fails every use that waits for a load that fails', async () => {
    const { load } = failingOnce()
    const uses = await Promise.allSettled([load(), load()])
    expect(uses.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('has nothing to settle while it is not loaded, or could not be', async () => {
    const { load, counts } = failingOnce()
    await load.settled()
    const failed = load()
    await load.settled()
    await expect(failed).rejects.toThrow('too many open files')
    expect(counts).toEqual({ loads: 1, settled: 0 })
    await load()
    await load.settled()
    expect(counts.settled).toBe(1)
  })
})
