/**
 * The methods of a store. Those that write run in a transaction of their caller and return when
 * their statements have run, before the commit.
 */
export type Transactional<Store> = {
  readonly [Method in keyof Store]-?: NonNullable<Store[Method]> extends (
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Awaited<Result>
    : never
}
