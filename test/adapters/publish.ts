import { it } from 'vitest'
import { adapterCases, type AdapterSubject } from '@svc/auth/testing'

/** Runs the published suite. @param skipped Why a case does not apply, by its name. */
export function itKeepsTheContract(
  subject: AdapterSubject,
  skipped: Readonly<Record<string, string>> = {},
): void {
  for (const { name, run } of adapterCases) {
    const reason = skipped[name]
    const title = reason === undefined ? name : `${name} (skipped: ${reason})`
    it.skipIf(reason !== undefined)(title, async () => run(subject))
  }
}
