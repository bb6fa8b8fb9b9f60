/**
 * The entry `@svc/auth/testing`: fakes, and the suites that every implementation of a contract must
 * pass.
 */
export {
  sendToPort,
  type AdapterAnswer,
  type AdapterCase,
  type AdapterRequest,
  type AdapterServer,
  type AdapterSubject,
  type AdapterUser,
} from './adapter-case.ts'
export { activityStoreCases } from './activity-store-cases.ts'
export { adapterCases } from './adapter-cases.ts'
export { attemptStoreCases } from './attempt-store-cases.ts'
export { busCases } from './bus-cases.ts'
export { fakeClock, type FakeClock, type Span } from './fake-clock.ts'
export { fakeUsers, type FakeUser, type FakeUserRow, type FakeUsers } from './fake-users.ts'
export * from './login-as.ts'
export { metadataStoreCases } from './metadata-store-cases.ts'
export { notificationStoreCases } from './notification-store-cases.ts'
export { pendingLoginStoreCases } from './pending-login-store-cases.ts'
export { sessionStoreCases } from './session-store-cases.ts'
export type { StoreCase, StoreSubject } from './store-case.ts'
export { fakeTwoFactor } from './fake-two-factor.ts'
export type { FakeTwoFactor, FakeTwoFactorOptions, TwoFactorCall } from './fake-two-factor.ts'
export * from './outbox.ts'
export type { TwoFactorCase, TwoFactorStage, TwoFactorSubject } from './two-factor-case.ts'
export { twoFactorCases } from './two-factor-cases.ts'
export type {
  StoredUser,
  UserProviderCase,
  UserProviderStage,
  UserProviderSubject,
} from './user-provider-case.ts'
export { userProviderCases } from './user-provider-cases.ts'
