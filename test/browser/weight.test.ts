import type { Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { focused } from './person.ts'
import { eventually, startRig } from './rig.ts'

const rig = await startRig()

/* How long it takes is measured by `npm run bench -- --only page`. */
/** Of JavaScript, CSS and HTML; the icon comes when there is time for it. */
const BUDGET_BYTES = 45_900

describe('the first visit, up to a login field that takes input', () => {
  it('loads one stylesheet, few scripts and one answer of the service, all of it from the service', async () => {
    const { page } = await rig.visit()
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await page.goto('/admin/main')
    await eventually(() => focused(page)).toBe('input Email address')
    const names = requests.map((request) => request.url().replace(rig.origin, ''))
    expect(names.filter((name) => !name.includes('/assets/'))).toEqual([
      '/admin/main',
      '/svc/api/csrf-cookie',
    ])
    expect(names.filter((name) => name.endsWith('.css'))).toHaveLength(1)
    expect(names.filter((name) => name.endsWith('.js')).length).toBeLessThanOrEqual(4)
    const counted = requests.filter((request) => !request.url().endsWith('.svg'))
    const sizes = await Promise.all(counted.map(async (request) => request.sizes()))
    expect(sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)).toBeLessThan(
      BUDGET_BYTES,
    )
  })
})
