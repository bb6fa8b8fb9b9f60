// Rewrites the generated parts of the documents. Run it by `npm run docs`, which builds first.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as cli from './docs/cli.mjs'
import * as events from './docs/events.mjs'
import * as frameworks from './docs/frameworks.mjs'
import { withGenerated } from './docs/generated.mjs'
import * as httpApi from './docs/http-api.mjs'
import * as options from './docs/options.mjs'
import * as performance from './docs/performance.mjs'
import * as reference from './docs/reference.mjs'
import * as rooms from './docs/rooms.mjs'
import * as styling from './docs/styling.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
for (const { path, parts } of [
  cli,
  httpApi,
  options,
  events,
  styling,
  reference,
  performance,
  rooms,
  ...frameworks.pages(),
]) {
  const page = readFileSync(path, 'utf8')
  const written = withGenerated(page, parts())
  if (written === page) continue
  writeFileSync(path, written)
  console.log(`rewrote ${path}`)
}
writeFileSync(performance.chartPath, performance.chart())
