// Measures how the code is organised: `npm run measure`.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { rooms } from './rooms.mjs'

const HELP = `Measures how the code is organised.

  npm run measure

First the whole: code lines, that is without comments and blank lines; rooms, arrows between them
(pairs of which one imports the other) and floors (a room stands above all that it imports); entries
of files in package.json, lines in git that are generated, and the largest file of dist/server.

Then each room: its files, its units (folders, and files beside them), the arrows between units and
the lines of its longest file.
`

const { help } = parseArgs({ options: { help: { type: 'boolean' } } }).values
if (help) process.stdout.write(HELP)
else {
  const files = new Map(['src', 'web', 'panel'].flatMap(sourcesIn))
  console.table(whole(files))
  console.table(Object.fromEntries(Object.keys(rooms).map((room) => [room, measure(room, files)])))
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')])
}

function whole(files) {
  const arrows = arrowsBetween(files, roomOf)
  const { files: shipped } = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    'code lines in src': codeLines(files, 'src/'),
    'code lines in web': codeLines(files, 'web/'),
    'files in the root of src': [...files.keys()].filter((file) => /^src\/[^/]+$/.test(file))
      .length,
    rooms: Object.keys(rooms).length,
    'arrows between rooms': arrows.length,
    floors: Math.max(...Object.keys(rooms).map((room) => floorOf(room, arrows))),
    'entries of files in package.json': shipped.length,
    'generated lines in git': generatedLines(),
    'largest file of dist/server, kB': largestOf('dist/server'),
  }
}

function codeLines(files, top) {
  const codes = [...files].filter(([file]) => file.startsWith(top)).map(([, code]) => code)
  const lines = codes.flatMap((code) => code.replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, '').split('\n'))
  return lines.filter((line) => !/^\s*(?:\/\/|$)/.test(line)).length
}

function roomOf(file) {
  return Object.keys(rooms).find((room) => file === room || file.startsWith(`${room}/`))
}

/** Returns the pairs of units of which the first imports the second. */
function arrowsBetween(files, unitOf) {
  const arrows = new Map()
  for (const [file, code] of files) {
    for (const to of importsOf(file, code)) {
      const [from, target] = [unitOf(file), unitOf(to)]
      if (from !== undefined && target !== undefined && from !== target)
        arrows.set(`${from} -> ${target}`, [from, target])
    }
  }
  return [...arrows.values()]
}

function importsOf(file, code) {
  return Array.from(code.matchAll(/from\s+'(\.[^']+)'/g), ([, to]) => join(dirname(file), to))
}

function floorOf(room, arrows) {
  const below = arrows.filter(([from]) => from === room).map(([, to]) => floorOf(to, arrows))
  return 1 + Math.max(0, ...below)
}

/** Counts the lines of generated parts; a part of one line is the link to what it is made from. */
function generatedLines() {
  const tracked = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n')
  const pages = tracked.filter((page) => existsSync(page))
  const parts = pages.flatMap((page) =>
    Array.from(
      readFileSync(page, 'utf8').matchAll(/<!-- generated: .+ -->\n([\s\S]*?)<!-- end -->/g),
      ([, part]) => part.split('\n').filter((line) => line !== '').length,
    ),
  )
  return parts.filter((lines) => lines > 1).reduce((sum, lines) => sum + lines, 0)
}

function largestOf(folder) {
  if (!existsSync(folder)) return 'not built'
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  return Math.round(Math.max(...sizes) / 1000)
}

function measure(room, files) {
  const own = new Map([...files].filter(([file]) => roomOf(file) === room))
  const unitOf = (file) =>
    roomOf(file) === room ? file.slice(room.length + 1).split('/')[0] : undefined
  return {
    files: own.size,
    units: new Set([...own.keys()].map(unitOf)).size,
    arrows: arrowsBetween(own, unitOf).length,
    'longest file': Math.max(...[...own.values()].map((code) => code.split('\n').length)),
  }
}
