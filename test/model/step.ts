import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer } from '../support/browser.ts'
import type { Model } from './model.ts'
import { type ModelBrowser, type Predicted } from './state.ts'
import { look, plain, type Visitor, type World } from './world.ts'

export type Step = fc.AsyncCommand<Model, World>

/** The actor: a browser with its counterpart in the model. */
export interface Actor {
  readonly visitor: Visitor
  readonly browser: ModelBrowser
}

export function actorOf(model: Model, { visitors }: World, at: number): Actor {
  return { visitor: entryOf(visitors, at), browser: entryOf(model.browsers, at) }
}

export function entryOf<Entry>(list: readonly Entry[], at: number): Entry {
  const entry = list[at % list.length]
  if (entry === undefined) throw new Error('the list is empty')
  return entry
}

export interface Doing {
  readonly name: string
  readonly run: (model: Model, world: World) => Promise<void>
  readonly check?: (model: Model) => boolean
  /** Done by the host, unseen: nobody's browser asks until the next step. */
  readonly isUnseen?: boolean
}

export function step({ name, run, check = () => true, isUnseen = false }: Doing): Step {
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
export function request(
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
export const browsers = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(2) },
)
export const persons = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
)
export const flags = fc.boolean()
