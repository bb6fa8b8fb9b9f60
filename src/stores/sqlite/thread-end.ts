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
