import type { UserProvider } from '@svc/auth'

/** The users that a host has already. */
export interface Person {
  readonly id: string
  readonly name: string
}

export declare const users: UserProvider<Person>
