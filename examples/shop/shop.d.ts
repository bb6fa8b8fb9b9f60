import type { Mailer, TwoFactorAuthenticator, UserProvider } from '@svc/auth'

/** A row of the application's users table. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly passwordHash: string
  readonly totpSecret: string | null
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
export declare const twoFactor: TwoFactorAuthenticator<Person>
/** Prints each mail, in place of sending it. */
export declare const mailer: Mailer
export declare function listOrders(): readonly Order[]
export declare function addOrder(item: string, by: string): Order
/** Returns the page `/reports` as HTML. */
export declare function reportsPage(name: string): string
