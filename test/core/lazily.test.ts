import { describe, expect, it } from 'vitest'
import { lazily } from '../../build/src/service/lazily.js'

/** A part whose first load fails, and the number of its loads. */
function failingOnce() {
  const state = { loads: 0 }
  const part = lazily(async () => {
    state.loads += 1
    if (state.loads === 1) throw new Error('too many open files')
    return { name: 'the part' }
  })
  return { ...part, state }
}

describe('a part that its first use loads', () => {
  it('is loaded once', async () => {
    const { load, state } = failingOnce()
    await expect(load()).rejects.toThrow('too many open files')
    const [one, other] = await Promise.all([load(), load()])
    expect(one).toBe(other)
    expect(await load()).toBe(one)
    expect(state.loads).toBe(2)
  })

  it('fails every use that waits for a load that fails', async () => {
    const { load } = failingOnce()
    const uses = await Promise.allSettled([load(), load()])
    expect(uses.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('takes no step while it is not loaded, or could not be', async () => {
    const { load, ifLoaded } = failingOnce()
    const steps: object[] = []
    const step = async (part: object) => void steps.push(part)
    await ifLoaded(step)
    const failed = load()
    await ifLoaded(step)
    await expect(failed).rejects.toThrow('too many open files')
    expect(steps).toEqual([])
    const loaded = load()
    await ifLoaded(step)
    expect(steps).toEqual([await loaded])
  })
})
