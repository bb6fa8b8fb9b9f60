/* The entry `@svc/auth/testing`: fakes, and the suites that every implementation of a contract owes. */

export { attemptStoreCases } from './attempt-store-cases.ts'
export { fakeClock } from './fake-clock.ts'
export type { FakeClock, Span } from './fake-clock.ts'
export { fakeUsers } from './fake-users.ts'
export type {
  FakeUser,
  FakeUserFields,
  FakeUserRow,
  FakeUsers,
  FakeUsersCall,
} from './fake-users.ts'
export { sessionStoreCases } from './session-store-cases.ts'
export type { StoreCase, StoreSubject } from './store-case.ts'
