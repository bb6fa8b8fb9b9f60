import { announce } from './announce.mjs'
import { startBenchPanel } from './panel.mjs'

/* The reference panel with its own limits; with `throttle` only the route of the login has none. */

const [, , folder, kind] = process.argv
// The windows last longer than the bench.
const limits = {
  login: { max: kind === 'throttle' ? 1_000_000 : 10, window_seconds: 3600 },
  'login.failed': { max: 5, window_seconds: 3600 },
}
const { port } = await startBenchPanel([folder], limits)
announce({ port })
