/**
 * Starts a load of several steps, each at its own interval and without waiting for those before it.
 *
 * @param note Receives the name of each step that is done, its milliseconds, and its error or `null`.
 * @returns A function that stops the load, and waits for what is still running.
 */
export function startMix(steps, everyMs, note) {
  const running = new Set()
  const run = async (name) => {
    const began = performance.now()
    const error = await steps[name]().then(
      () => null,
      (thrown) => thrown,
    )
    note(name, performance.now() - began, error)
  }
  const timers = Object.keys(steps).map((name) =>
    setInterval(() => {
      const work = run(name).finally(() => running.delete(work))
      running.add(work)
    }, everyMs[name]),
  )
  return async function stop() {
    timers.forEach(clearInterval)
    await Promise.all(running)
  }
}
