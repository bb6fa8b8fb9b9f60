import { describe, expect, it } from 'vitest'
import { svcHere } from '../support/svc-here.ts'

describe('svc key generate', () => {
  it('prints a new key of 32 random bytes each time, and nothing else', async () => {
    const [one, other] = [await svcHere(['key', 'generate']), await svcHere(['key', 'generate'])]
    expect(one).toMatchObject({ code: 0, stderr: '' })
    expect(Buffer.from(one.stdout.trim(), 'base64')).toHaveLength(32)
    expect(one.stdout).not.toBe(other.stdout)
  })

  it('prints JSON with --json', async () => {
    const { stdout } = await svcHere(['key', 'generate', '--json'])
    expect(JSON.parse(stdout)).toEqual({ key: expect.stringMatching(/^[\w+/]{43}=$/) })
  })
})

describe('svc key rotate', () => {
  it('prints the new key in front of the present one, which it does not print', async () => {
    const present = 'the present key, which stays unknown'
    const { code, stdout } = await svcHere(['key', 'rotate'], { env: { APP_KEY: present } })
    const [, key = ''] = /New key: (\S+)/.exec(stdout) ?? []
    expect(code).toBe(0)
    expect(stdout).toContain(`APP_KEY="${key},$APP_KEY"`)
    expect(stdout).not.toContain(present)
  })
})
