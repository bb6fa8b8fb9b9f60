import { fakeClock } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import {
  CONFIRM_FIRST,
  confirmBy,
  demanded,
  openedBy,
  startConfirmation,
} from '../../support/confirmation.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { moveTo } from '../../support/second-factor.ts'
import { somePeople } from '../../support/service.ts'
import { tally, verdict } from '../../support/verdicts.ts'

describe.each(Object.entries(storesOfTwoNodes))(
  'A confirmation on two nodes with %s',
  (_name, open) => {
    it('counts at both, and is bounded by both together', async () => {
      const [first, second] = await open()
      const shared = { users: somePeople(), clock: fakeClock(), appUrl: 'http://panel.test' }
      const nodes = [
        await startConfirmation({ ...shared, stores: first }),
        await startConfirmation({ ...shared, stores: second }),
      ] as const
      const una = await openedBy(nodes[0], 'u1')
      const there = moveTo(nodes[1], una)
      expect(await demanded(there)).toBe(CONFIRM_FIRST)
      expect(verdict(await confirmBy(una, { password: PASSWORD }))).toBe('ok')
      expect(await demanded(there)).toBe('ok')
      const guesses = Array.from({ length: 8 }, async (_, index) =>
        confirmBy(index % 2 === 0 ? una : there, { password: 'wrong' }),
      )
      expect(tally((await Promise.all(guesses)).map(verdict))).toEqual({
        '422 password_incorrect': 5,
        '422 throttle': 3,
      })
    })
  },
)
