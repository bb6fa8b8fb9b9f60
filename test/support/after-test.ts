import { onTestFinished } from 'vitest'

/** Closes what a test has opened after the test, before what it had opened earlier. */
export function closedAfterTest<Opened extends { close(): unknown }>(opened: Opened): Opened {
  onTestFinished(async () => void (await opened.close()))
  return opened
}
