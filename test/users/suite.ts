import { it } from 'vitest'
import { userProviderCases, type UserProviderSubject } from '@svc/auth/testing'

/** Runs the published suite; each case opens a table of its own. */
export function inSuite<User>(open: UserProviderSubject<User>['open']): void {
  for (const { name, run } of userProviderCases) it(name, async () => run({ open }))
}
