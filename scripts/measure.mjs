// Measures how the code is organised: `npm run measure`.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'

const HELP = `Measures how the code is organised.

  npm run measure

For each room: its files, its units (folders, and files beside them), the arrows between units
(pairs of which one imports the other) and the lines of its longest file.
`

const { help } = parseArgs({ options: { help: { type: 'boolean' } } }).values
if (help) process.stdout.write(HELP)
else console.table(Object.fromEntries(rooms().map((room) => [room, measure(room)])))

function rooms() {
  return ['src', 'web'].flatMap(foldersOf).concat('panel')
}

function foldersOf(top) {
  const folders = readdirSync(top, { withFileTypes: true }).filter((one) => one.isDirectory())
  return folders.map(({ name }) => `${top}/${name}`)
}

function measure(room) {
  const files = readdirSync(room, { recursive: true }).filter((file) => /\.tsx?$/.test(file))
  const codes = new Map(files.map((file) => [file, readFileSync(join(room, file), 'utf8')]))
  const arrows = new Set()
  for (const [file, code] of codes) {
    for (const to of importsOf(room, file, code)) {
      if (unitOf(to) !== unitOf(file)) arrows.add(`${unitOf(file)} -> ${unitOf(to)}`)
    }
  }
  return {
    files: files.length,
    units: new Set(files.map(unitOf)).size,
    arrows: arrows.size,
    'longest file': Math.max(...[...codes.values()].map((code) => code.split('\n').length)),
  }
}

/** Returns the files of the same room that a file imports. */
function importsOf(room, file, code) {
  const targets = [...code.matchAll(/from\s+'(\.[^']+)'/g)].map(([, to]) =>
    relative(room, join(room, dirname(file), to)),
  )
  return targets.filter((to) => !to.startsWith('..'))
}

function unitOf(file) {
  return file.split('/')[0]
}
