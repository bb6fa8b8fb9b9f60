/**
 * The methods of a store that write. Here they run in a transaction of their caller and return when
 * their statements have run, before the commit.
 */
export type Transactional<Store, Name extends keyof Store> = {
  readonly [Method in Name]: Store[Method] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Awaited<Result>
    : never
}
