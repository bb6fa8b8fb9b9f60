import type { UserProvider } from '@svc/auth'

/** What a host has already. */
export interface Person {
  readonly id: string
  readonly name: string
}

export declare const users: UserProvider<Person>
