import type { Mailer, UserProvider } from '@svc/auth'
import type { FactorStore } from '@svc/auth/totp'

/** A row of the application's users table. */
export interface Person {
  readonly id: string
  readonly name: string | null
  readonly email: string
  readonly passwordHash: string
  readonly mustUseTwoFactor?: boolean
  /** Present where the email must be verified. */
  readonly hasVerifiedEmail?: () => boolean
  readonly markEmailAsVerified?: () => Promise<void>
}

export interface Order {
  readonly id: number
  readonly item: string
  readonly by: string
}

export declare const users: UserProvider<Person>
export declare const mustUseTwoFactor: (person: Person) => boolean
export declare const factors: FactorStore
/** Prints each mail, in place of sending it. */
export declare const mailer: Mailer
export declare function listOrders(): readonly Order[]
export declare function addOrder(item: string, by: string | null): Order
/** Returns the page `/reports` as HTML. */
export declare function reportsPage(name: string | null): string
