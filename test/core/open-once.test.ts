import { describe, expect, it } from 'vitest'
import { openOnce } from '@svc/auth'

describe('openOnce', () => {
  it('opens nothing before the first call', async () => {
    let count = 0
    const open = openOnce('lazy', () => (count += 1))
    expect(count).toBe(0)
    expect(await open()).toBe(1)
  })

  it('opens once for calls at the same moment, and for every evaluation of the module', async () => {
    let count = 0
    const [first, again] = [1, 2].map(() => openOnce('shared', async () => (count += 1)))
    expect(await Promise.all([first?.(), first?.(), again?.()])).toEqual([1, 1, 1])
    expect(await again?.()).toBe(1)
  })

  it('opens again after a failure', async () => {
    let isBroken = true
    const open = openOnce('broken', () => {
      if (isBroken) throw new Error('no database')
      return 'open'
    })
    await expect(Promise.allSettled([open(), open()])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    isBroken = false
    expect(await open()).toBe('open')
  })

  it('opens different things under different names', async () => {
    expect(await openOnce('one', () => 1)()).toBe(1)
    expect(await openOnce('two', () => 2)()).toBe(2)
  })
})
