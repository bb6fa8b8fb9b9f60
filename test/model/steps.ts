import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer } from '../support/browser.ts'
import type { Model, ModelBrowser, Person, Predicted } from './model.ts'
import {
  CODE,
  hashOf,
  look,
  passwordOf,
  plain,
  RECOVERY,
  type Visitor,
  type World,
} from './world.ts'

type Step = fc.AsyncCommand<Model, World>

/** Who does it: a browser with its counterpart in the model. */
interface Actor {
  readonly visitor: Visitor
  readonly browser: ModelBrowser
}

function actorOf(model: Model, { visitors }: World, at: number): Actor {
  return { visitor: entryOf(visitors, at), browser: entryOf(model.browsers, at) }
}

function entryOf<Entry>(list: readonly Entry[], at: number): Entry {
  const entry = list[at % list.length]
  if (entry === undefined) throw new Error('the list is empty')
  return entry
}

interface Doing {
  readonly name: string
  readonly run: (model: Model, world: World) => Promise<void>
  readonly check?: (model: Model) => boolean
  /** Done by the host, unseen: nobody's browser asks until the next step. */
  readonly isUnseen?: boolean
}

function step({ name, run, check = () => true, isUnseen = false }: Doing): Step {
  return {
    check,
    async run(model, world) {
      await run(model, world)
      if (!isUnseen) await look(model, world)
    },
    toString: () => name,
  }
}

/** One request of a browser: what is answered is what the model predicts. */
function request(
  name: string,
  at: number,
  send: (visitor: Visitor, world: World, model: Model) => Promise<Answer>,
  predict: (model: Model, browser: ModelBrowser, world: World) => Predicted,
): Step {
  return step({
    name: `browser ${at}: ${name}`,
    async run(model, world) {
      const { visitor, browser } = actorOf(model, world, at)
      const answer = await send(visitor, world, model)
      const predicted = predict(model, browser, world)
      expect(plain(answer), `browser ${at}: ${name}`).toEqual(predicted)
    },
  })
}

/** One browser does most, and is mostly one person's, so that what belongs together meets. */
const browsers = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(2) },
)
const persons = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
)
const flags = fc.boolean()

type Login = 'right' | 'wrong' | 'earlier' | 'nobody'

function credentials({ people }: Model, who: number, kind: Login): [string, number | null] {
  const { email, password } = entryOf(people, who)
  if (kind === 'nobody') return [`nobody.${email}`, 0]
  if (kind === 'earlier') return [email, (password + 2) % 3]
  return [email, kind === 'right' ? password : null]
}

const logIn = fc
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

/** What came of many at once, in no order. */
function tally(answers: readonly Predicted[]): readonly string[] {
  return answers
    .map(({ status, body = {} }) => {
      const said = Object.entries(body).map((entry) => JSON.stringify(entry))
      return `${status} ${said.toSorted().join(' ')}`
    })
    .toSorted()
}

const guessAtOnce = fc
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

const sendCode = fc
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

const guessCodesAtOnce = fc.tuple(browsers, fc.integer({ min: 2, max: 7 })).map(([at, count]) =>
  step({
    name: `browser ${at}: ${count} wrong codes at once`,
    // Which of them would be throttled, and which be too late, is not decided.
    check: (model) => model.isFarFromThrottle(entryOf(model.browsers, at), count),
    async run(model, world) {
      const { visitor, browser } = actorOf(model, world, at)
      await visitor.send('GET', '/csrf-cookie')
      const body = { code: '000000' }
      const answers = await Promise.all(
        Array.from({ length: count }, async () => visitor.send('POST', '/login/two-factor', body)),
      )
      const predicted = answers.map(() => model.sendCode(browser, '000000', CODE))
      expect(tally(answers.map(plain))).toEqual(tally(predicted))
    },
  }),
)

const logOut = browsers.map((at) =>
  request(
    'logs out',
    at,
    async (visitor) => visitor.send('POST', '/logout'),
    (model, browser) => model.logOut(browser),
  ),
)

const getUser = browsers.map((at) =>
  request(
    'asks who it is',
    at,
    async (visitor) => visitor.send('GET', '/user'),
    (model, browser) => model.getUser(browser),
  ),
)

const getFactor = browsers.map((at) =>
  request(
    'opens the security page',
    at,
    async (visitor) => visitor.send('GET', '/two-factor'),
    (model, browser) => model.getFactor(browser),
  ),
)

const setUp = fc.tuple(browsers, flags).map(([at, fresh]) =>
  request(
    fresh ? 'starts the set-up anew' : 'sets up',
    at,
    async (visitor) => visitor.send('POST', '/two-factor/setup', fresh ? { fresh } : undefined),
    (model, browser, world) => model.setUp(browser, fresh ? 'fresh' : 'same', world.secretNumbered),
  ),
)

const confirm = fc.tuple(browsers, fc.constantFrom('right', 'right', 'wrong')).map(([at, kind]) =>
  request(
    `confirms with a ${kind} code`,
    at,
    async (visitor) =>
      visitor.send('POST', '/two-factor/confirm', { code: kind === 'right' ? CODE : '000000' }),
    (model, browser) => model.confirm(browser, kind, RECOVERY),
  ),
)

const confirmCodesSeen = browsers.map((at) =>
  request(
    'confirms that the recovery codes were seen',
    at,
    async (visitor) => visitor.send('POST', '/two-factor/recovery-codes/seen'),
    (model, browser) => model.confirmCodesSeen(browser),
  ),
)

const disable = browsers.map((at) =>
  request(
    'disables',
    at,
    async (visitor) => visitor.send('DELETE', '/two-factor'),
    (model, browser) => model.disable(browser),
  ),
)

const sendMail = browsers.map((at) =>
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

const openLink = fc
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

const notify = fc.tuple(persons, fc.integer({ min: 1, max: 9 })).map(([who, count]) =>
  step({
    name: `the host tells ${who} ${count} things`,
    async run(model, { subject, ids }) {
      const person = entryOf(model.people, who)
      const user = await userOf(person, subject.users)
      for (let sent = 0; sent < count; sent += 1) {
        const title = `${person.name} ${person.bell.length}`
        const note = { type: 'note', via: () => ['database'], toDatabase: () => ({ title }) }
        await subject.auth.notify(user, note)
        model.notify(person, title)
      }
      await learnIds(person, { subject, ids })
    },
  }),
)

async function userOf({ name }: Person, users: World['subject']['users']) {
  const user = await users.findById(name, null)
  if (user === null) throw new Error(`there is no user ${name}`)
  return user
}

/** The ids are the service's choice: the stores tell them. */
async function learnIds(
  { name }: Person,
  { subject, ids }: Pick<World, 'subject' | 'ids'>,
): Promise<void> {
  const owner = { tenant: null, userId: name }
  for (const { id, title } of await subject.stores.notifications.latest(owner, 9))
    ids.set(title, id)
}

const countUnread = browsers.map((at) =>
  request(
    'counts what is unread',
    at,
    async (visitor) => visitor.send('GET', '/notifications/unread-count'),
    (model, browser) => model.countUnread(browser),
  ),
)

const NO_ENTRY = '0b0e6d3c-64b5-4f0e-9b57-2c8f0f6a1c1d'

const markRead = fc.tuple(browsers, persons, fc.nat({ max: 30 })).map(([at, who, back]) =>
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

const markAllRead = browsers.map((at) =>
  request(
    'marks everything as read',
    at,
    async (visitor) => visitor.send('POST', '/notifications/read-all'),
    (model, browser) => model.markAllRead(browser),
  ),
)

const advance = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 90 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 130 }).map((minutes) => minutes * 60) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 25 }).map((hours) => hours * 3600) },
  )
  .map((seconds) =>
    step({
      name: `${seconds} seconds pass`,
      async run(model, { subject }) {
        subject.clock.advance({ seconds })
        model.now = subject.clock.now()
      },
    }),
  )

/** What the host does to a person, with or without a browser that asks before the next step. */
function byHost(
  name: string,
  act: (person: Person, value: boolean, world: World, model: Model) => Promise<void> | void,
): fc.Arbitrary<Step> {
  return fc.tuple(persons, flags, flags).map(([who, value, isUnseen]) =>
    step({
      name: `the host: ${name} of ${who}: ${value}${isUnseen ? ', unseen' : ''}`,
      isUnseen,
      async run(model, world) {
        await act(entryOf(model.people, who), value, world, model)
      },
    }),
  )
}

const changePassword = byHost('another password', (person, _, { subject }) => {
  person.password = (person.password + 1) % 3
  subject.users.update(person.name, { passwordHash: hashOf(person.password) })
})

const changeEmail = byHost('another email', (person, _, { subject }) => {
  person.email = `new.${person.email}`
  person.verifiedAt = null
  subject.users.update(person.name, { email: person.email, emailVerifiedAt: null })
})

const admit = byHost('access', (person, active, { subject }) => {
  person.active = active
  subject.users.update(person.name, { active })
})

const require = byHost('required factor', (person, required, { subject }) => {
  person.required = required
  subject.factor.update(person.name, { required })
})

const giveFactor = byHost('enabled factor', (person, enabled, { subject }) => {
  if (enabled !== person.enabled) person.recovery = enabled ? [...RECOVERY] : []
  person.enabled = enabled
  subject.factor.update(person.name, { enabled, recovery: person.recovery })
})

const endSessions = byHost('no session', async (person, _, { subject }, model) => {
  model.endSessions(person)
  await subject.auth.endSessions(person.name)
})

const copyCookies = fc.tuple(browsers, browsers).map(([from, to]) =>
  step({
    name: `browser ${to} gets the cookies of browser ${from}`,
    check: () => from !== to,
    async run(model, world) {
      const [source, target] = [actorOf(model, world, from), actorOf(model, world, to)]
      target.visitor.jar = source.visitor.jar
      target.browser.held = source.browser.held
    },
  }),
)

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
