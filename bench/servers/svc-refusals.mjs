import { announce } from './announce.mjs'
import { startBenchPanel } from './panel.mjs'

/* The reference panel with its own limits; with `throttle` only the route of the login has none. */

const [, , folder, kind] = process.argv
const limits = kind === 'throttle' ? { login: { max: 1_000_000, window_seconds: 60 } } : {}
const { port } = await startBenchPanel([folder], limits)
announce({ port })
