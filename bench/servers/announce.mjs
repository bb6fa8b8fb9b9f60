/** Tells the parent that a server is ready; later, reports its CPU time and memory. */
export function announce(ready, count = () => null) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss(), count: count() })
  })
  process.on('disconnect', () => process.exit())
  process.send(ready)
}
