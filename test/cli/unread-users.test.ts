import { describe, expect, it } from 'vitest'
import { svcHere } from '../support/svc-here.ts'
import { configOf } from './command.ts'

const HOST = configOf('unread-users-host.mjs')
const REFUSED = /^The user n\\u000a1 \(null\) cannot be read: .*id as a non-empty string.*\n$/

const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  svcHere(['--config', HOST, ...args], { env })

describe('a list with a row that the service refuses to identify', { timeout: 30_000 }, () => {
  it.each([[['user', 'list']], [['two-factor', 'none']]])(
    '%j lists the other users, names the row and fails',
    async (args) => {
      const { code, stdout, stderr } = await run(args)
      expect([code, stdout]).toEqual([1, '2  bea@example.com\n3  cy@example.com\n'])
      expect(stderr).toMatch(REFUSED)
      const { users, refused } = JSON.parse((await run(['--json', ...args])).stdout)
      expect(users).toMatchObject([{ id: '2' }, { id: '3' }])
      const reason = expect.stringContaining('id as a non-empty string')
      expect(refused).toEqual([{ id: 'n\n1', email: 'null', reason }])
    },
  )

  it('lists the other users where the second factor of one cannot be read', async () => {
    const { code, stdout, stderr } = await run(['two-factor', 'none'], { BROKEN_FACTOR: '2' })
    expect([code, stdout]).toEqual([1, '3  cy@example.com\n'])
    expect(stderr).toContain('The user 2 (bea@example.com) cannot be read: the secret is malf')
  })

  it('fails with the reason where nobody can be read', async () => {
    const env = { OUTAGE: '1' }
    const { code, stdout } = await run(['two-factor', 'none'], env)
    expect([code, stdout]).toEqual([1, ''])
  })

  it('erases a person whose row is gone', async () => {
    const order = ['user', 'erase', '--id', '9', '--yes']
    expect(await run(order)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The host has no row of the user.'),
    })
  })

  it('keeps what belongs to a row that the list has', async () => {
    const order = ['user', 'erase', '--id', '3', '--yes']
    const { code, stderr } = await run(order, { BROKEN_ID: '1' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('would lose the second factor')])
  })
})

describe('svc doctor', { timeout: 30_000 }, () => {
  async function checks(env: Readonly<Record<string, string>> = {}) {
    const { code, stdout } = await run(['--json', 'doctor'], env)
    const all: readonly Readonly<Record<'name' | 'status' | 'text', string>>[] =
      JSON.parse(stdout).checks
    return { code, users: all.filter(({ name }) => name === 'users') }
  }

  it('reads the first user that can be read, and warns of the others', async () => {
    const { code, users } = await checks()
    expect([code, users]).toMatchObject([
      0,
      [
        { status: 'ok', text: 'can be read, such as the id 2' },
        { status: 'warning', text: expect.stringMatching(/^1 of the listed users cannot be read/) },
      ],
    ])
  })

  it('fails where nobody can be read', async () => {
    const { code, users } = await checks({ ONLY_UNREAD: '1' })
    const text = expect.stringMatching(/^the users cannot be read: .*id as a non-empty string/)
    expect([code, users]).toMatchObject([1, [{ status: 'failed', text }]])
  })

  it('fails where the users are found by email only', async () => {
    const { code, users } = await checks({ BROKEN_ID: '1' })
    const text = expect.stringMatching(/^the user 2 is not found by the id/)
    expect([code, users[0]]).toMatchObject([1, { status: 'failed', text }])
  })
})
