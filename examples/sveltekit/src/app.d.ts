import type { Person } from '@example/shop'

declare global {
  namespace App {
    interface Locals {
      /** The user that a guard of `hooks.server.ts` has admitted. */
      user: Person
    }
  }
}
