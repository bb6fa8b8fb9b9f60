import {
  activityStoreCases,
  attemptStoreCases,
  busCases,
  metadataStoreCases,
  notificationStoreCases,
  pendingLoginStoreCases,
  sessionStoreCases,
} from '@svc/auth/testing'

/** The published suites, by what they try of `Stores`. */
export const storeSuites = {
  sessions: sessionStoreCases,
  'pending logins': pendingLoginStoreCases,
  attempts: attemptStoreCases,
  metadata: metadataStoreCases,
  notifications: notificationStoreCases,
  bus: busCases,
  activity: activityStoreCases,
}
