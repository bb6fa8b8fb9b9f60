import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ModelLimits } from './state.ts'
import { enter, stepsOf, type StepName } from './steps.ts'
import { begin, startSubject } from './world.ts'

/*
 * The whole service against its model: what people, their browsers, the host and time do, in any order. A run that
 * fails is shrunk and printed with its seed, path and replayPath; MODEL_SEED, MODEL_PATH and MODEL_REPLAY run it again.
 */

/** docs/specification.md, "Limits"; docs/http-api.md, "Limits". */
const SPECIFIED: ModelLimits = {
  'login.failed': { max: 5, windowSeconds: 60 },
  'two-factor.pending': { max: 5, windowSeconds: 300 },
  'two-factor.network': { max: 20, windowSeconds: 3600 },
  'two-factor.user': { max: 100, windowSeconds: 86_400 },
  'two-factor.place': { max: 100, windowSeconds: 86_400 },
  login: { max: 10, windowSeconds: 60 },
  'login.two-factor': { max: 10, windowSeconds: 60 },
  'two-factor.setup': { max: 10, windowSeconds: 60 },
  'two-factor.confirm': { max: 10, windowSeconds: 60 },
  'two-factor.disable': { max: 10, windowSeconds: 60 },
  'svc.email.send': { max: 3, windowSeconds: 60 },
}

/** So small that a short run reaches every one of them. */
const TIGHT: ModelLimits = {
  'login.failed': { max: 2, windowSeconds: 60 },
  'two-factor.pending': { max: 2, windowSeconds: 300 },
  'two-factor.network': { max: 2, windowSeconds: 3600 },
  'two-factor.user': { max: 3, windowSeconds: 86_400 },
  'two-factor.place': { max: 3, windowSeconds: 86_400 },
  login: { max: 6, windowSeconds: 60 },
  'login.two-factor': { max: 5, windowSeconds: 60 },
  'two-factor.setup': { max: 4, windowSeconds: 60 },
  'two-factor.confirm': { max: 2, windowSeconds: 60 },
  'two-factor.disable': { max: 2, windowSeconds: 60 },
  'svc.email.send': { max: 2, windowSeconds: 60 },
}

const { TEST_LONG, MODEL_SEED, MODEL_PATH, MODEL_REPLAY } = process.env
/** Fewer in the lane that everybody waits for. */
const LONGER = TEST_LONG === undefined ? 0.4 : 10

const traits = fc.record({
  mustVerify: fc.boolean(),
  isVerified: fc.boolean(),
  enabled: fc.boolean(),
  required: fc.boolean(),
})

interface Plan {
  readonly name: string
  readonly limits: ModelLimits
  readonly bound: 'bound' | 'unbound'
  readonly steps: readonly StepName[] | 'all'
  readonly runs: number
}

/** The steps that run together, each alone first, and then all. */
const PLANS: readonly Plan[] = [
  {
    name: 'logging in and out',
    limits: TIGHT,
    bound: 'bound',
    steps: [
      'logIn',
      'guessAtOnce',
      'sendCode',
      'guessCodesAtOnce',
      'logOut',
      'advance',
      'changePassword',
      'admit',
      'giveFactor',
      'endSessions',
      'copyCookies',
    ],
    runs: 40,
  },
  {
    name: 'the second factor',
    limits: SPECIFIED,
    bound: 'bound',
    steps: [
      'logIn',
      'sendCode',
      'getUser',
      'getFactor',
      'setUp',
      'confirm',
      'confirmCodesSeen',
      'disable',
      'advance',
      'require',
      'giveFactor',
      'copyCookies',
    ],
    runs: 40,
  },
  {
    name: 'the email',
    limits: TIGHT,
    bound: 'unbound',
    steps: ['logIn', 'getUser', 'sendMail', 'openLink', 'changeEmail', 'advance'],
    runs: 30,
  },
  {
    name: 'the bell',
    limits: SPECIFIED,
    bound: 'unbound',
    steps: ['logIn', 'notify', 'countUnread', 'markRead', 'markAllRead', 'advance'],
    runs: 20,
  },
  { name: 'everything', limits: SPECIFIED, bound: 'bound', steps: 'all', runs: 30 },
  { name: 'everything, tightly', limits: TIGHT, bound: 'bound', steps: 'all', runs: 30 },
  { name: 'everything but a factor', limits: SPECIFIED, bound: 'unbound', steps: 'all', runs: 10 },
]

describe('The service behaves as its model', () => {
  it.each(PLANS)(
    '$name',
    async ({ limits, bound, steps, runs }) => {
      const subject = await startSubject(limits, bound)
      const commands = fc.commands([stepsOf(steps)], {
        maxCommands: 60,
        size: 'max',
        ...(MODEL_REPLAY !== undefined && { replayPath: MODEL_REPLAY }),
      })
      const property = fc.asyncProperty(
        fc.tuple(traits, traits),
        fc.boolean(),
        commands,
        async (people, startsOutside, done) => {
          const run = begin(subject, people)
          if (!startsOutside) await enter(run.model, run.real)
          await fc.asyncModelRun(() => run, done)
        },
      )
      await fc.assert(property, {
        numRuns: Math.ceil(runs * LONGER),
        ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
        ...(MODEL_PATH !== undefined && { path: MODEL_PATH }),
      })
      expect(subject.users.calls.findById).toBeGreaterThan(0)
    },
    60_000 * LONGER,
  )
})
