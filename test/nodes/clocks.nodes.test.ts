import type { Stores } from '@svc/auth'
import { fakeTwoFactor, type FakeClock, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { storesWithTime } from '../support/databases.ts'
import { attempt, visitor, loggedIn } from '../support/logins.ts'
import { LOGIN, USER } from '../support/paths.ts'
import {
  CODE,
  confirm,
  moveTo,
  owingCode,
  sendCode,
  setUp,
  UNLIMITED,
  WRONG,
} from '../support/second-factor.ts'
import { somePeople, startService, type TestService } from '../support/service.ts'
import {
  FAILED,
  LIMITED,
  THROTTLED,
  times,
  verdict,
  EXPIRED,
  tally,
  WRONG_CODE,
} from '../support/verdicts.ts'

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000]
const OFFSETS = [2 * SECOND, 2 * MINUTE, 10 * MINUTE, DAY].flatMap((by) => [by, -by])

/** Shows the system's time with an offset that a test changes while the service runs. */
function wrongClock(offset: number): FakeClock {
  let by = offset
  return {
    now: () => Date.now() + by,
    advance: ({ ms = 0 }) => void (by += ms),
    set: (to) => void (by = to - Date.now()),
  }
}

interface Nodes {
  readonly right: TestService
  readonly wrong: TestService
  readonly jump: (by: number) => void
}

/** Starts two nodes of one service, of which one has a clock that is off. */
async function startNodes(
  [one, other]: readonly [Stores, Stores],
  offset: number,
  config: Parameters<typeof startService>[0] = {},
): Promise<Nodes> {
  const shared = {
    appUrl: 'http://panel.test',
    users: somePeople(),
    twoFactor: fakeTwoFactor<FakeUser>({ enabled: ['u2'] }),
    ...config,
  }
  const clock = wrongClock(offset)
  return {
    right: await startService({ ...shared, stores: one, clock: wrongClock(0) }),
    wrong: await startService({ ...shared, stores: other, clock }),
    jump: (by) => clock.advance({ ms: by }),
  }
}

describe.each(Object.entries(storesWithTime))(
  'Two nodes on %s whose clocks disagree',
  (_, stores) => {
    it.each(OFFSETS)('evaluate 5 of 20 wrong passwords: off by %i ms', async (offset) => {
      const { right, wrong } = await startNodes(await stores(), offset)
      const onRight = await visitor(right)
      const browsers = [onRight, moveTo(wrong, onRight)]
      const verdicts: string[] = []
      for (let sent = 0; sent < 20; sent += 1) {
        const browser = browsers[sent % 2] ?? onRight
        const answer = await browser.post(LOGIN, { email: 'u1@x.test', password: 'wrong' })
        verdicts.push(verdict(answer))
        expect(Number(answer.headers['retry-after'] ?? 0)).toBeLessThanOrEqual(60)
      }
      expect(tally(verdicts)).toEqual({ [FAILED]: 5, [THROTTLED]: 5, [LIMITED]: 10 })
    })

    it.each(OFFSETS)('evaluate 5 of 10 wrong codes: off by %i ms', async (offset) => {
      const { right, wrong } = await startNodes(await stores(), offset, { config: UNLIMITED })
      const onRight = await owingCode(right)
      const browsers = [onRight, moveTo(wrong, onRight)]
      const verdicts: string[] = []
      for (let sent = 0; sent < 10; sent += 1) {
        verdicts.push(verdict(await sendCode(browsers[sent % 2] ?? onRight, WRONG)))
      }
      expect(tally(verdicts)).toEqual({
        [WRONG_CODE]: 4,
        '422 two_factor_exhausted': 1,
        [EXPIRED]: 5,
      })
    })

    it.each([10 * MINUTE, -10 * MINUTE, DAY, -DAY])(
      'OPS-13: go on counting when a clock jumps by %i ms while they run',
      async (by) => {
        const { right, wrong, jump } = await startNodes(await stores(), 0)
        const onRight = await visitor(right)
        const onWrong = moveTo(wrong, onRight)
        const verdicts: string[] = []
        for (const browser of [onRight, onWrong, onRight]) {
          verdicts.push(await attempt(browser, 'u1@x.test'))
        }
        jump(by)
        for (const browser of [onWrong, onRight, onWrong]) {
          verdicts.push(await attempt(browser, 'u1@x.test'))
        }
        expect(verdicts).toEqual([...times(5, FAILED), THROTTLED])
      },
    )

    it.each(OFFSETS)('know the same sessions and pending logins: off by %i ms', async (offset) => {
      const { right, wrong } = await startNodes(await stores(), offset)
      const [una, duo] = [await loggedIn(right), await owingCode(wrong)]
      expect((await moveTo(wrong, una).get(USER)).json.id).toBe('u1')
      expect((await una.get(USER)).json.id).toBe('u1')
      expect(verdict(await sendCode(moveTo(right, duo), CODE))).toBe('ok')
    })

    it.each(OFFSETS)('confirm each the set-up of the other: off by %i ms', async (offset) => {
      const { right, wrong } = await startNodes(await stores(), offset)
      const una = await loggedIn(wrong)
      await setUp(una)
      expect((await confirm(moveTo(right, una))).status).toBe(200)
    })
  },
)
