import type { Stores } from '@svc/auth'
import {
  activityStoreCases,
  attemptStoreCases,
  busCases,
  metadataStoreCases,
  notificationStoreCases,
  pendingLoginStoreCases,
  sessionStoreCases,
  type StoreSubject,
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

/**
 * Opens stores once for the cases that leave them open, where opening takes longer than a case. Those that close the
 * stores or listen to them have their own.
 *
 * @param empty Removes everything from the stores that are open.
 */
export function openedOnce(
  open: StoreSubject['open'],
  empty: (stores: Stores) => Promise<unknown>,
) {
  let kept: Promise<Stores> | undefined
  const openEmptied = async (): Promise<Stores> => {
    kept ??= open()
    const stores = await kept
    await empty(stores)
    return { ...stores, close: async () => undefined }
  }
  return {
    subjectOf: (suite: string, name: string): StoreSubject => ({
      open: suite === 'bus' || /\bclosed?\b/.test(name) ? open : openEmptied,
    }),
    close: async (): Promise<void> => (await kept)?.close(),
  }
}
