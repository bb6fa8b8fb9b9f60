import { onTestFinished } from 'vitest'

/** Closes what a test has opened after the test, before what it had opened earlier. */
export function closedAfterTest<Opened extends { close(): unknown }>(opened: Opened): Opened {
  onTestFinished(async () => void (await opened.close()))
  return opened
}

/** Stops a server in the same way. */
export function stoppedAfterTest<Started extends { stop(): unknown }>(started: Started): Started {
  onTestFinished(async () => void (await started.stop()))
  return started
}

/** Ends connections to a database in the same way. */
export function endedAfterTest<Opened extends { end(): unknown }>(opened: Opened): Opened {
  onTestFinished(async () => void (await opened.end()))
  return opened
}
