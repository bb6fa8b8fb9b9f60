import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/* The reference panel, reporting its memory after a garbage collection, and sending notifications. */

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
// V8 optimizes more functions for hours, and keeps their code on the heap.
setFlagsFromString('--no-opt')
const { startBenchPanel } = await import('./panel.mjs')
const { obey } = await import('../orders.mjs')
const { port, panel } = await startBenchPanel(process.argv.slice(2))

obey({
  async memory() {
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { heapUsed, external, rss }
  },
  async notify(email) {
    await panel.auth.notify(await panel.users.findByEmail(email), {
      type: 'bench',
      via: () => ['database'],
      toDatabase: () => ({ title: 'Invoice 7 has been paid', url: '/invoices/7' }),
    })
  },
})
process.send({ port })
