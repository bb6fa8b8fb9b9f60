import { QueryPromise } from 'drizzle-orm'

/**
 * Makes a query of Drizzle: it can be awaited, and is not a native promise. Without a value it never
 * resolves.
 */
export function query<Value>(...given: [] | [Value]): QueryPromise<Value> {
  return new FixedQuery(given)
}

class FixedQuery<Value> extends QueryPromise<Value> {
  readonly #given: [] | [Value]

  constructor(given: [] | [Value]) {
    super()
    this.#given = given
  }

  override async execute(): Promise<Value> {
    return new Promise((resolve) => this.#given.forEach(resolve))
  }
}
