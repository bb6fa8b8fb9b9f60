import { it } from 'vitest'
import { adapterCases, type AdapterSubject } from '@svc/auth/testing'
import { itServes } from './real-service.ts'

/** Runs the published suite, and the real service. @param skipped Why a case does not apply, by its name. */
export function itKeepsTheContract(
  subject: AdapterSubject,
  skipped: Readonly<Record<string, string>> = {},
): void {
  for (const { name, run } of adapterCases) {
    const reason = skipped[name]
    const title = reason === undefined ? name : `${name} (skipped: ${reason})`
    it.skipIf(reason !== undefined)(title, async () => run(subject))
  }
  itServes(subject)
}
