import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const home = join('src', 'rules', 'wire.ts')

/** The names and numbers that the home declares, and how a copy of them looks. */
const copies: readonly (readonly [name: string, copy: RegExp])[] = [
  ['the token cookie or header', /xsrf-token/i],
  ['the second token header', /x-csrf-token/i],
  ['the session header', /x-svc-session/i],
  ['a rate limit header', /x-ratelimit-/i],
  ['a cookie of the service', /\bsvc_(?:session|device)\b/i],
  ['the status of a missing token', /\b419\b/],
  ['the safe methods', /'GET'[^\n]*'HEAD'[^\n]*'OPTIONS'/],
]

describe('names of HTTP that the service and its clients share', () => {
  it.each(copies)('%s: the home has it', (_name, copy) => {
    expect(codeOf(home)).toMatch(copy)
  })

  it.each(copies)('%s: no other file of src or web repeats it', (_name, copy) => {
    const files = ['src', 'web'].flatMap(sourceFiles).filter(isChecked)
    expect(files.filter((file) => copy.test(codeOf(file)))).toEqual([])
  })
})

/** The published suites state what a host must see on their own. */
function isChecked(file: string): boolean {
  return file !== home && !file.startsWith(join('src', 'testing'))
}

/** Returns a file without its comments. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
}

function sourceFiles(room: string): readonly string[] {
  return readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(room, name))
}
