import fc from 'fast-check'
import type { Model } from './model.ts'
import { type Person } from './state.ts'
import { hashOf, RECOVERY, type World } from './world.ts'

import { type Step, entryOf, step, persons, flags } from './step.ts'

export const notify = fc.tuple(persons, fc.integer({ min: 1, max: 9 })).map(([who, count]) =>
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

export const advance = fc
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

/** Returns a change by the host, with or without a browser's request before the next step. */
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

export const changePassword = byHost('another password', (person, _, { subject }) => {
  person.password = (person.password + 1) % 3
  subject.users.update(person.name, { passwordHash: hashOf(person.password) })
})

export const changeEmail = byHost('another email', (person, _, { subject }) => {
  person.email = `new.${person.email}`
  person.verifiedAt = null
  subject.users.update(person.name, { email: person.email, emailVerifiedAt: null })
})

export const admit = byHost('access', (person, active, { subject }) => {
  person.active = active
  subject.users.update(person.name, { active })
})

export const require = byHost('required factor', (person, required, { subject }) => {
  person.required = required
  subject.factor.update(person.name, { required })
})

export const giveFactor = byHost('enabled factor', (person, enabled, { subject }) => {
  if (enabled !== person.enabled) person.recovery = enabled ? [...RECOVERY] : []
  person.enabled = enabled
  subject.factor.update(person.name, { enabled, recovery: person.recovery })
})

export const endSessions = byHost('no session', async (person, _, { subject }, model) => {
  model.endSessions(person)
  await subject.auth.endSessions(person.name)
})
