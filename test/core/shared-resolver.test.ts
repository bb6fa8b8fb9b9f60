import { describe, expect, it } from 'vitest'
import { createSharedResolver } from '../../build/src/core/sessions/shared-resolver.js'

/** A resolver of guests that notes the tenants it is asked for, and can fail. */
function createResolver() {
  const tenants: (string | null)[] = []
  const state = { isDown: false }
  const shared = createSharedResolver({
    async resolve(_sessionId, tenant) {
      tenants.push(tenant)
      if (state.isDown) throw new Error('the store is down')
      return null
    },
  })
  return { tenants, state, shared }
}

describe('Checks of a session that share reads', () => {
  it('share a read that begins after both have begun', async () => {
    const { tenants, shared } = createResolver()
    const [one, other] = [shared.begin('id'), shared.begin('id')]
    await one.resolve('id', null)
    one.end()
    await other.resolve('id', null)
    expect(tenants).toHaveLength(1)
  })

  it('read again when they begin after a read of another check that still runs', async () => {
    const { tenants, shared } = createResolver()
    const one = shared.begin('id')
    await one.resolve('id', null)
    const later = shared.begin('id')
    await later.resolve('id', null)
    expect(tenants).toHaveLength(2)
  })

  it('share nothing between tenants', async () => {
    const { tenants, shared } = createResolver()
    const [one, other] = [shared.begin('id'), shared.begin('id')]
    await one.resolve('id', 'acme')
    await other.resolve('id', 'globex')
    expect(tenants).toEqual(['acme', 'globex'])
  })

  it('share nothing between sessions', async () => {
    const { tenants, shared } = createResolver()
    const [one, other] = [shared.begin('id'), shared.begin('another')]
    await one.resolve('id', null)
    await other.resolve('another', null)
    expect(tenants).toHaveLength(2)
  })

  it('read again after a read that has failed', async () => {
    const { state, shared } = createResolver()
    const [one, other] = [shared.begin('id'), shared.begin('id')]
    state.isDown = true
    await expect(one.resolve('id', null)).rejects.toThrow('the store is down')
    state.isDown = false
    await expect(other.resolve('id', null)).resolves.toBeNull()
  })
})
