import type { Owner } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { createHeldOpen } from '../../src/core/held-open.ts'

const limits = { perSession: 2, perUser: 3, perNode: 4 }
const una: Owner = { tenant: null, userId: 'una' }
const duo: Owner = { tenant: null, userId: 'duo' }

/** Holds requests, and remembers the names of those that were ended. */
function holding() {
  const held = createHeldOpen(limits)
  const ended: string[] = []
  const add = (name: string, owner = una, session = name) =>
    held.add(owner, session, () => void ended.push(name))
  return { held, ended, add }
}

describe('The requests that a node holds open', () => {
  it('end the oldest of a session when there is one too many', () => {
    const { ended, add } = holding()
    for (const name of ['other', 'one', 'two', 'three'])
      add(name, una, name === 'other' ? 's1' : 's2')
    expect(ended).toEqual(['one'])
  })

  it('end the oldest of a user when there is one too many over all sessions', () => {
    const { ended, add } = holding()
    for (const name of ['one', 'two', 'three', 'four']) add(name)
    expect(ended).toEqual(['one'])
  })

  it('count users of the same id in two tenants apart', () => {
    const { ended, add } = holding()
    for (const name of ['one', 'two']) add(name)
    for (const name of ['three', 'four']) add(name, { ...una, tenant: 'acme' })
    expect(ended).toEqual([])
  })

  it('are full at the limit of the node, until one is removed', () => {
    const { held, add } = holding()
    const remove = add('one')
    for (const name of ['two', 'three']) add(name)
    expect(held.isFull()).toBe(false)
    add('four', duo)
    expect(held.isFull()).toBe(true)
    remove()
    remove()
    expect(held.isFull()).toBe(false)
  })

  it('do not count what was ended', () => {
    const { held, add } = holding()
    for (let count = 0; count < 20; count += 1) add(String(count))
    expect(held.isFull()).toBe(false)
  })
})
