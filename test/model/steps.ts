import fc from 'fast-check'
import { expect } from 'vitest'
import type { Model } from './model.ts'
import { CODE, passwordOf, plain, type World } from './world.ts'

import type { Step } from './step.ts'
import {
  logIn,
  guessAtOnce,
  sendCode,
  guessCodesAtOnce,
  logOut,
  getUser,
  getFactor,
  setUp,
  confirm,
  confirmCodesSeen,
  disable,
  sendMail,
  openLink,
  countUnread,
  markRead,
  markAllRead,
  copyCookies,
} from './browser-steps.ts'
import {
  notify,
  advance,
  changePassword,
  changeEmail,
  admit,
  require,
  giveFactor,
  endSessions,
} from './host-steps.ts'

const WEIGHTS = {
  logIn: [9, logIn],
  guessAtOnce: [1, guessAtOnce],
  sendCode: [9, sendCode],
  guessCodesAtOnce: [1, guessCodesAtOnce],
  logOut: [2, logOut],
  getUser: [3, getUser],
  getFactor: [2, getFactor],
  setUp: [4, setUp],
  confirm: [5, confirm],
  confirmCodesSeen: [2, confirmCodesSeen],
  disable: [3, disable],
  sendMail: [3, sendMail],
  openLink: [4, openLink],
  notify: [2, notify],
  countUnread: [1, countUnread],
  markRead: [3, markRead],
  markAllRead: [2, markAllRead],
  advance: [5, advance],
  changePassword: [2, changePassword],
  changeEmail: [2, changeEmail],
  admit: [2, admit],
  require: [1, require],
  giveFactor: [2, giveFactor],
  endSessions: [1, endSessions],
  copyCookies: [2, copyCookies],
} as const satisfies Readonly<Record<string, readonly [number, fc.Arbitrary<Step>]>>

export type StepName = keyof typeof WEIGHTS

/** Those steps in any order; what is left out leaves more room for the rest. */
export function stepsOf(names: readonly StepName[] | 'all'): fc.Arbitrary<Step> {
  const chosen = Object.entries(WEIGHTS).filter(
    ([name]) => names === 'all' || names.some((one) => one === name),
  )
  return fc.oneof(...chosen.map(([, [weight, arbitrary]]) => ({ weight, arbitrary })))
}

/** The first person enters the first browser, as far as it gets. */
export async function enter(model: Model, { visitors }: World): Promise<void> {
  const [[visitor], [browser], [person]] = [visitors, model.browsers, model.people]
  if (visitor === undefined || browser === undefined || person === undefined)
    throw new Error('a run has people and browsers')
  const { email } = person
  const entered = await visitor.send('POST', '/login', { email, password: passwordOf(0) })
  expect(plain(entered)).toEqual(model.logIn(browser, email, 0))
  if (entered.json.two_factor !== true) return
  const code = await visitor.send('POST', '/login/two-factor', { code: CODE })
  expect(plain(code)).toEqual(model.sendCode(browser, CODE, CODE))
}
