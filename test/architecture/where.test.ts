import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entrySources } from '../../scripts/package-entries.mjs'
import { limits } from '../../src/rules/limits.ts'
import { refusals } from '../../src/rules/payloads.ts'
import { routes } from '../../src/rules/routes.ts'
import { reachedFrom } from '../support/imports.ts'

/** Names of the rows of the specification, which are bold: `**DO-1 Cookie sessions, no tokens**`. */
const specified = Array.from(
  readFileSync('docs/specification.md', 'utf8').matchAll(/\*\*([A-Z]{2}-\d+ [^*]+)\*\*/g),
  ([, name = '']) => name,
)

const where = readFileSync('docs/where.md', 'utf8')
const rows = where.split('\n').flatMap((line) => {
  const [, row = '', file = '', test = ''] = line.split('|').map((cell) => cell.trim())
  const isRow = !/^(?:|-+|row|route|limit|refusal)$/.test(row)
  return isRow ? [{ row, file, places: namedIn(file), titles: namedIn(test) }] : []
})

describe('docs/where.md', () => {
  it('has every row of the specification, route, limit and refusal, in order', () => {
    const names = [...routes.map(({ name }) => name), ...[limits, refusals].flatMap(Object.keys)]
    const wanted = [...specified, ...names.map((name) => `\`${name}\``)]
    expect(rows.map(({ row }) => row)).toEqual(wanted)
  })

  it('has a place and a test in every row, and links to files that exist', () => {
    expect(rows.filter((row) => row.places.length * row.titles.length === 0)).toEqual([])
    expect(where.match(/\]\((?![^)]*\) `).*/g)).toBeNull()
    const named = rows.flatMap(({ places, titles }) => [...places, ...titles])
    expect(named.filter(({ path }) => !existsSync(path))).toEqual([])
  })

  it('names only what the linked file declares, or has as a row of a table', () => {
    expect(rows.flatMap((row) => row.places).filter((named) => !declares(named))).toEqual([])
  })

  it('quotes only titles of tests of the linked file', () => {
    expect(rows.flatMap((row) => row.titles).filter((named) => !hasTitle(named))).toEqual([])
  })

  it('names only functions that a public entry reaches', () => {
    const reached = reachedFrom(Object.values(entrySources))
    const code = [...reached.values()].join('\n')
    const inSource = rows.flatMap(({ places }) => places).filter(({ path }) => isSource(path))
    const unreached = inSource.filter(({ path, name }) => {
      const uses = code.match(
        new RegExp(String.raw`\b${name.replaceAll('.', String.raw`\.`)}\b`, 'g'),
      )
      return !reached.has(normalize(path)) || (uses ?? []).length < 2
    })
    expect(unreached).toEqual([])
  })

  it('has a state machine of which the service raises every event', () => {
    const events = readFileSync('src/rules/states.ts', 'utf8').matchAll(/case '([\w-]+)'/g)
    const core = sourcesBelow('src/core')
    const unraised = Array.from(events, ([, name = '']) => name).filter(
      (name) => !core.some((code) => code.includes(`'${name}'`)),
    )
    expect(unraised).toEqual([])
  })

  it('has no open items', () => {
    expect(where.match(/not (?:yet )?built/gi)).toBeNull()
  })
})

/** The text in backticks behind a link. */
type Named = Readonly<Record<'path' | 'name', string>>

function namedIn(cell: string): readonly Named[] {
  const links = cell.matchAll(/\]\(([^)]*)\)((?:,? `[^`]+`)+)/g)
  return Array.from(links).flatMap(([, link = '', names = '']) =>
    Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']) => ({ path: `docs/${link}`, name })),
  )
}

const isSource = (path: string): boolean => /^src\/.*\.tsx?$/.test(normalize(path))

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

function declares({ path, name }: Named): boolean {
  const literal = name.replaceAll('.', String.raw`\.`)
  const declared = String.raw`\b(?:function\*?|const|class|interface|type) ${literal}\b`
  const row = String.raw`^\s+(?:async |readonly )?'?${literal}'?[?(:,]|\bname: '${literal}'`
  return new RegExp(`${declared}|${row}`, 'm').test(readFileSync(path, 'utf8'))
}

/** A title is a whole literal, and not that of a group. */
function hasTitle({ path, name }: Named): boolean {
  const tests = readFileSync(path, 'utf8').replaceAll(/^\s*describe\b.*$/gm, '')
  return ["'", '"', '`'].some((quote) => tests.includes(`${quote}${name}${quote},`))
}
