import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startBenchPanel } from './panel.mjs'

/* The reference panel, pruning on request, and reporting how long its event loop was blocked. */

const { port, panel } = await startBenchPanel(process.argv.slice(2))
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
let pruned = null

process.on('message', (message) => {
  if (message === 'prune') void prune()
  process.send({ stoodStillMs: loop.max / 1e6, p99Ms: loop.percentile(99) / 1e6, pruned })
  loop.reset()
})
process.on('disconnect', () => process.exit())
process.send({ port })

async function prune() {
  const started = performance.now()
  // The panel prunes once a minute by itself; this measures all that is left.
  while ((await panel.auth.prune()) > 0);
  pruned = { ms: performance.now() - started }
}
