import { describe, expect, it } from 'vitest'
import { createRecentRefusals } from '../../build/src/core/attempts/recent-refusals.js'

const NOW = 1_700_000_000_000
const LATER = NOW + 60_000

describe('recent refusals', () => {
  it('are remembered for 1,000 keys; the oldest is forgotten first', () => {
    const refusals = createRecentRefusals<number>()
    for (let key = 0; key < 1000; key += 1) refusals.remember(String(key), key, NOW, LATER)
    expect([refusals.find('0', NOW), refusals.find('999', NOW)]).toEqual([0, 999])
    refusals.remember('1000', 1000, NOW, LATER)
    expect(['0', '1', '1000'].map((key) => refusals.find(key, NOW))).toEqual([null, 1, 1000])
  })

  it('are not the oldest once their key is refused again', () => {
    const refusals = createRecentRefusals<number>()
    for (let key = 0; key < 1000; key += 1) refusals.remember(String(key), key, NOW, LATER)
    refusals.remember('0', 0, NOW, LATER)
    refusals.remember('1000', 1000, NOW, LATER)
    expect(['0', '1'].map((key) => refusals.find(key, NOW))).toEqual([0, null])
  })

  it('are not repeated under a clock that was set back, nor after a second', () => {
    const refusals = createRecentRefusals<string>()
    refusals.remember('key', 'refused', NOW, LATER)
    const times = [NOW - 1, NOW, NOW + 999, NOW + 1000]
    expect(times.map((now) => refusals.find('key', now))).toEqual([
      null,
      'refused',
      'refused',
      null,
    ])
  })

  it('end with their window', () => {
    const refusals = createRecentRefusals<string>()
    refusals.remember('key', 'refused', NOW, NOW + 300)
    expect([NOW + 299, NOW + 300].map((now) => refusals.find('key', now))).toEqual([
      'refused',
      null,
    ])
  })
})
