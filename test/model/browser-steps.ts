import fc from 'fast-check'
import { expect } from 'vitest'
import type { Model } from './model.ts'
import { type Predicted } from './state.ts'
import { CODE, passwordOf, plain, RECOVERY } from './world.ts'

import { actorOf, entryOf, step, request, browsers, persons, flags } from './step.ts'

type Login = 'right' | 'wrong' | 'earlier' | 'nobody'

function credentials({ people }: Model, who: number, kind: Login): [string, number | null] {
  const { email, password } = entryOf(people, who)
  if (kind === 'nobody') return [`nobody.${email}`, 0]
  if (kind === 'earlier') return [email, (password + 2) % 3]
  return [email, kind === 'right' ? password : null]
}

export const logIn = fc
  .tuple(
    browsers,
    persons,
    fc.constantFrom<Login>('right', 'right', 'right', 'wrong', 'earlier', 'nobody'),
  )
  .map(([at, who, kind]) =>
    request(
      `logs in as ${who}, ${kind}`,
      at,
      async (visitor, _, model) => {
        const [email, password] = credentials(model, who, kind)
        return visitor.send('POST', '/login', { email, password: passwordOf(password) })
      },
      (model, browser) => model.logIn(browser, ...credentials(model, who, kind)),
    ),
  )

/** Returns the outcomes of concurrent steps, in no order. */
function tally(answers: readonly Predicted[]): readonly string[] {
  return answers
    .map(({ status, body = {} }) => {
      const said = Object.entries(body).map((entry) => JSON.stringify(entry))
      return `${status} ${said.toSorted().join(' ')}`
    })
    .toSorted()
}

export const guessAtOnce = fc
  .tuple(browsers, persons, fc.integer({ min: 2, max: 8 }))
  .map(([at, who, count]) =>
    step({
      name: `browser ${at}: ${count} wrong passwords of ${who} at once`,
      async run(model, world) {
        const { visitor, browser } = actorOf(model, world, at)
        const { email } = entryOf(model.people, who)
        await visitor.send('GET', '/csrf-cookie')
        const body = { email, password: 'wrong' }
        const answers = await Promise.all(
          Array.from({ length: count }, async () => visitor.send('POST', '/login', body)),
        )
        const predicted = answers.map(() => model.logIn(browser, email, null))
        expect(tally(answers.map(plain))).toEqual(tally(predicted))
      },
    }),
  )

type Code = 'right' | 'wrong' | 'recovery'

export const sendCode = fc
  .tuple(browsers, fc.constantFrom<Code>('right', 'wrong', 'wrong', 'recovery'), fc.nat({ max: 2 }))
  .map(([at, kind, which]) => {
    const code = { right: CODE, wrong: '000000', recovery: entryOf(RECOVERY, which) }[kind]
    return request(
      `sends the code ${code}`,
      at,
      async (visitor) => visitor.send('POST', '/login/two-factor', { code }),
      (model, browser) => model.sendCode(browser, code, CODE),
    )
  })

export const guessCodesAtOnce = fc
  .tuple(browsers, fc.integer({ min: 2, max: 7 }))
  .map(([at, count]) =>
    step({
      name: `browser ${at}: ${count} wrong codes at once`,
      // Which of them would be throttled, and which be too late, is not decided.
      check: (model) => model.isFarFromThrottle(entryOf(model.browsers, at), count),
      async run(model, world) {
        const { visitor, browser } = actorOf(model, world, at)
        await visitor.send('GET', '/csrf-cookie')
        const body = { code: '000000' }
        const answers = await Promise.all(
          Array.from({ length: count }, async () =>
            visitor.send('POST', '/login/two-factor', body),
          ),
        )
        const predicted = answers.map(() => model.sendCode(browser, '000000', CODE))
        expect(tally(answers.map(plain))).toEqual(tally(predicted))
      },
    }),
  )

export const logOut = browsers.map((at) =>
  request(
    'logs out',
    at,
    async (visitor) => visitor.send('POST', '/logout'),
    (model, browser) => model.logOut(browser),
  ),
)

export const getUser = browsers.map((at) =>
  request(
    'asks who it is',
    at,
    async (visitor) => visitor.send('GET', '/user'),
    (model, browser) => model.getUser(browser),
  ),
)

export const getFactor = browsers.map((at) =>
  request(
    'opens the security page',
    at,
    async (visitor) => visitor.send('GET', '/two-factor'),
    (model, browser) => model.getFactor(browser),
  ),
)

export const setUp = fc.tuple(browsers, flags).map(([at, fresh]) =>
  request(
    fresh ? 'starts the set-up anew' : 'sets up',
    at,
    async (visitor) => visitor.send('POST', '/two-factor/setup', fresh ? { fresh } : undefined),
    (model, browser, world) => model.setUp(browser, fresh ? 'fresh' : 'same', world.secretNumbered),
  ),
)

export const confirm = fc
  .tuple(browsers, fc.constantFrom('right', 'right', 'wrong'))
  .map(([at, kind]) =>
    request(
      `confirms with a ${kind} code`,
      at,
      async (visitor) =>
        visitor.send('POST', '/two-factor/confirm', { code: kind === 'right' ? CODE : '000000' }),
      (model, browser) => model.confirm(browser, kind, RECOVERY),
    ),
  )

export const confirmCodesSeen = browsers.map((at) =>
  request(
    'confirms that the recovery codes were seen',
    at,
    async (visitor) => visitor.send('POST', '/two-factor/recovery-codes/seen'),
    (model, browser) => model.confirmCodesSeen(browser),
  ),
)

export const disable = browsers.map((at) =>
  request(
    'disables',
    at,
    async (visitor) => visitor.send('DELETE', '/two-factor'),
    (model, browser) => model.disable(browser),
  ),
)

export const sendMail = browsers.map((at) =>
  request(
    'asks for a mail',
    at,
    async (visitor, { mails, subject }) => {
      const answer = await visitor.send('POST', '/email/verification-notification')
      const { pathname, search } = new URL(
        /https?:\/\/\S+/.exec(subject.mailer.sent.at(-1)?.text ?? '')?.[0] ?? subject.url,
      )
      if (answer.status === 202) mails.push(pathname + search)
      return answer
    },
    (model, browser) => model.sendMail(browser),
  ),
)

type Opening = 'open' | 'look' | 'tampered'

export const openLink = fc
  .tuple(browsers, fc.nat({ max: 9 }), fc.constantFrom<Opening>('open', 'open', 'look', 'tampered'))
  .map(([at, which, how]) =>
    step({
      name: `browser ${at}: opens link ${which}, ${how}`,
      check: ({ links }) => links.length > 0,
      async run(model, world) {
        const { visitor } = actorOf(model, world, at)
        const path = entryOf(world.mails, which)
        // It would be good for longer.
        const target = how === 'tampered' ? path.replace('expires=', 'expires=1') : path
        const answer = await visitor.send(how === 'look' ? 'HEAD' : 'GET', target)
        const leadsTo = model.openLink(entryOf(model.links, which), how)
        expect(plain(answer).status).toBe(leadsTo === '1' ? 302 : 403)
        if (leadsTo === '1')
          expect(answer.headers.location).toBe(`${world.subject.url}/admin/main?verified=1`)
        else if (how !== 'look') expect(answer.json.key).toBe('svc::auth.verification_invalid')
      },
    }),
  )

export const countUnread = browsers.map((at) =>
  request(
    'counts what is unread',
    at,
    async (visitor) => visitor.send('GET', '/notifications/unread-count'),
    (model, browser) => model.countUnread(browser),
  ),
)

const NO_ENTRY = '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d'

export const markRead = fc.tuple(browsers, persons, fc.nat({ max: 30 })).map(([at, who, back]) =>
  request(
    `marks entry ${back} of ${who} as read`,
    at,
    async (visitor, { ids }, model) => {
      const title = entryOf(model.people, who).bell.at(-1 - back)?.title ?? ''
      return visitor.send('POST', `/notifications/${ids.get(title) ?? NO_ENTRY}/read`)
    },
    (model, browser) =>
      model.markRead(browser, entryOf(model.people, who).bell.at(-1 - back) ?? null),
  ),
)

export const markAllRead = browsers.map((at) =>
  request(
    'marks everything as read',
    at,
    async (visitor) => visitor.send('POST', '/notifications/read-all'),
    (model, browser) => model.markAllRead(browser),
  ),
)

export const copyCookies = fc.tuple(browsers, browsers).map(([from, to]) =>
  step({
    name: `browser ${to} gets the cookies of browser ${from}`,
    check: () => from !== to,
    async run(model, world) {
      const [source, target] = [actorOf(model, world, from), actorOf(model, world, to)]
      target.visitor.jar = source.visitor.jar
      target.browser.held = source.browser.held
      target.browser.device = source.browser.device
    },
  }),
)
