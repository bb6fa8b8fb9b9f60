import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { TLS, withCookiesOf } from '../support/session-cookies.ts'
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

  it('prints steps of which none ends a session while nodes of two steps run', async () => {
    const { stdout } = await svcHere(['key', 'rotate', '--json'])
    const { steps } = JSON.parse(stdout) as { readonly steps: readonly string[] }
    const present = 'the-present-key-the-present-key-0123456789'
    const lists = steps.flatMap((step) => /APP_KEY="(\S+)"/.exec(step)?.[1] ?? [])
    const stores = memoryStores()
    const start = async (list: string) => {
      const app = { url: TLS, keys: list.replace('$APP_KEY', present).split(',') }
      const service = await startService({ stores, appUrl: TLS, config: { app } })
      await service.auth.ready()
      return service
    }
    let before = await start('$APP_KEY')
    for (const list of lists) {
      const after = await start(list)
      const una = after.browser()
      await una.logIn('u1@x.test')
      const moved = withCookiesOf(una, before.browser())
      expect((await moved.get('/svc/api/user')).status, list).toBe(200)
      before = after
    }
  })
})
