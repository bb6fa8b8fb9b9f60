/** Prints how often the event loop has turned, at the end of a process that has the variable TURNS. */
export function countTurns() {
  if (process.env.TURNS === undefined) return
  let turns = 0
  function count() {
    turns += 1
    setImmediate(count).unref()
  }
  count()
  process.on('exit', () => console.error(`${turns} turns`))
}
