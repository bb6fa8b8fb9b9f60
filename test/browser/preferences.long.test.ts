import { describe, expect, it } from 'vitest'
import { colouredIn, moving, quietColours, SCHEMES, STILL, unframed } from './looks.ts'
import { pageStates } from './page-states.ts'
import { spa, startRig } from './rig.ts'
import { states } from './states.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

/** One state of every screen, and what lies over one. */
const SCREENS = new Set([
  'login',
  'empty',
  'code',
  'forgot',
  'dead-link',
  'new-password-empty',
  'invitation',
  'verify-sent',
  'security-off',
  'security-set-up',
  'security-codes',
  'security-on',
  'security-question',
  'sessions-remembered',
  'home',
  'user-menu',
  'bell-list',
  'bell-error',
  'not-found',
  'unreachable',
  'people',
  'send-empty',
  'new-version',
])
const screens = [...pageStates, ...states].filter(({ name }) => SCREENS.has(name))

describe('a user who has told the system what they need', () => {
  it('has one state of every screen here', () => {
    expect(new Set(screens.map(({ name }) => name))).toEqual(SCREENS)
  })

  it.each(screens)('sees frames, strong colours and no motion as asked: $name', async (screen) => {
    const { page } = await rig.visit(STILL)
    await screen.reach(page, rig)
    expect(await moving(page), 'reduced motion').toEqual([])
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, contrast: 'no-preference' })
      const quiet = await quietColours(page)
      expect(await colouredIn(page, quiet)).not.toEqual([])
      await page.emulateMedia({ colorScheme, contrast: 'more' })
      expect(await colouredIn(page, quiet), `more contrast, ${colorScheme}`).toEqual([])
    }
    await page.emulateMedia({ contrast: 'no-preference', forcedColors: 'active' })
    expect(await unframed(page), 'forced colours').toEqual([])
  })
})
