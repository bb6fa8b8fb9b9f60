import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadHostPages } from '../../spa/host-pages.ts'

const module = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const complaint = vi.spyOn(console, 'error')

beforeEach(() => void complaint.mockReset().mockReturnValue())
afterEach(() => void vi.useRealTimers())

describe('the module of the host', () => {
  it('brings the pages that it exports', async () => {
    const pages = await loadHostPages(module(`export const pages = [{ path: '/people' }]`))
    expect(pages).toEqual([{ path: '/people' }])
    expect(complaint).not.toHaveBeenCalled()
  })

  it('may be none', async () => {
    expect(await loadHostPages(null)).toEqual([])
    expect(complaint).not.toHaveBeenCalled()
  })

  it.each([
    ['that breaks', `throw new Error('broken')`],
    ['that exports something else', 'export const page = {}'],
    ['whose pages are no list', 'export const pages = {}'],
  ])('%s is reported, and gone without', async (_what, code) => {
    const address = module(code)
    expect(await loadHostPages(address)).toEqual([])
    expect(complaint).toHaveBeenCalledExactlyOnceWith(
      `spa.pages: ${address} could not be loaded; serve it as a module`,
      expect.any(Error),
    )
  })

  it('that does not come is gone without after ten seconds', async () => {
    vi.useFakeTimers()
    const loading = loadHostPages(module('await new Promise(() => {})'))
    await vi.advanceTimersByTimeAsync(9999)
    expect(complaint).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await loading).toEqual([])
    expect(complaint).toHaveBeenCalledOnce()
  })
})
