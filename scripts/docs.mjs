// Writes the pages of docs, with the parts that are generated, into build/docs, for the site and the package. In the
// repository it rewrites what a reader must see without a build. `npm run docs` builds first.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withGenerated } from './docs/generated.mjs'
import { pages } from './docs/pages.mjs'
import * as performance from './docs/performance.mjs'
import * as rooms from './docs/rooms.mjs'

const HELP = `Usage: npm run docs

Writes the documents, with their generated parts, into build/docs. \`npm pack\` packs those, and then puts back the pages
of the repository.

  --packed   puts the written pages in the place of docs
  --restore  puts the pages of the repository back
`
const WRITTEN = 'build/docs'
const OF_REPOSITORY = '.cache/docs'

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, packed: { type: 'boolean' }, restore: { type: 'boolean' } },
})
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
if (values.help) {
  process.stdout.write(HELP)
} else {
  restore()
  if (!values.restore) write()
  if (values.packed) putInPlace()
}

function write() {
  rmSync(WRITTEN, { recursive: true, force: true })
  cpSync('docs', WRITTEN, { recursive: true })
  for (const [path, text] of pages()) writeFileSync(`build/${path}`, text)
  writeFileSync(performance.chartPath, performance.chart())
  const page = readFileSync(rooms.path, 'utf8')
  writeFileSync(rooms.path, withGenerated(page, rooms.parts()))
}

function putInPlace() {
  cpSync('docs', OF_REPOSITORY, { recursive: true })
  rmSync('docs', { recursive: true })
  renameSync(WRITTEN, 'docs')
}

/** Also undoes a `--packed` of a run that was interrupted. */
function restore() {
  if (!existsSync(OF_REPOSITORY)) return
  rmSync('docs', { recursive: true, force: true })
  renameSync(OF_REPOSITORY, 'docs')
}
