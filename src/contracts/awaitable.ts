/** A value or a promise of it. An implementation chooses; the service always awaits. */
export type Awaitable<T> = T | Promise<T>
