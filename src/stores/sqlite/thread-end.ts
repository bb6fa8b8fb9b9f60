import { startTimeout } from '../../process/timeout.ts'

/**
 * The maximum wait for the last commits. A host promises to stop within ten seconds, and its
 * requests take four of them.
 */
const END_MS = 2000

/** Waits for the end of the thread. @returns whether it came in time. */
export async function isInTime(ended: Promise<void>): Promise<boolean> {
  let stop = (): void => undefined
  const late = new Promise<false>((resolve) => {
    stop = startTimeout(END_MS, () => resolve(false))
  })
  try {
    return await Promise.race([ended.then(() => true), late])
  } finally {
    stop()
  }
}

/** The maximum wait for a commit when the process ends. */
const EXIT_MS = 1000

/**
 * Ends the process although its thread hangs in a commit: Node joins its threads before it ends,
 * and no thread can be interrupted while it waits for the disk. Nothing that was confirmed is lost.
 *
 * @returns a function that cancels this.
 */
export function endStuckProcess(inDisk: Int32Array): () => void {
  const onExit = (): void => {
    if (Atomics.wait(inDisk, 0, 1, EXIT_MS) === 'timed-out') process.kill(process.pid, 'SIGKILL')
  }
  process.on('exit', onExit)
  return () => void process.off('exit', onExit)
}
