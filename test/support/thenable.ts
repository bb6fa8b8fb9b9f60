/**
 * Makes an object that can be awaited and is not a native promise, as query builders such as Prisma,
 * Drizzle and Knex return it. Without a value it never resolves.
 */
export function thenable<Value>(...given: [] | [Value]): PromiseLike<Value> {
  const then = (resolve: (value: Value) => void): void => given.forEach(resolve)
  // oxlint-disable-next-line unicorn/no-thenable -- the service must treat such objects of a host as promises
  return { then } as PromiseLike<Value>
}
