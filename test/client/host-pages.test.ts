import { describe, expect, it } from 'vitest'
import { hostPages } from '../../web/spa/host-pages.ts'

const module = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`

describe('the module with the pages of the host', () => {
  it('provides the pages that it exports', async () => {
    const load = hostPages(module(`export const pages = [{ path: '/people' }]`))
    expect(await load()).toEqual([{ path: '/people' }])
  })

  it.each([
    ['throws', `throw new Error('broken')`],
    ['exports something else', 'export const page = {}'],
    ['exports pages that are not a list', 'export const pages = {}'],
  ])('is reported by its address when it %s', async (_what, code) => {
    const address = module(code)
    await expect(hostPages(address)()).rejects.toMatchObject({
      message: `spa.pages: ${address} could not be loaded; serve it as a module`,
      cause: expect.any(Error) as Error,
    })
  })
})
