import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { packedFiles } from '../support/packed.ts'

const readme = readFileSync('README.md', 'utf8')
const browser = readFileSync('docs/browser.md', 'utf8')
const examples = readdirSync('test/readme').filter((name) => !name.includes('.test.'))

it.each(examples)('the README or docs/browser.md shows %s as it is checked', (name) => {
  expect(readme + browser).toContain(readFileSync(`test/readme/${name}`, 'utf8'))
})

it.each(['README.md', ...pagesOf('docs')])('no sample of %s returns the whole user', (page) => {
  const samples = Array.from(
    readFileSync(page, 'utf8').matchAll(/```\w+\n(.*?)```/gs),
    ([code]) => code,
  )
  const whole = samples.flatMap(
    (code) => code.match(/.*(?:seenBy: user\b|[^=] userOf\([^)]*\))(?!\??\.).*/g) ?? [],
  )
  expect(whole).toEqual([])
})

const packed: ReadonlySet<string> = new Set(packedFiles())

// It leads from each rule to its tests, so it stays in the repository.
const published = pagesOf('docs').filter((page) => page !== 'docs/where.md')

it('test/support/README.md shows its example as it is checked', () => {
  const shown = readFileSync('test/support/README.md', 'utf8')
  expect(shown).toContain(readFileSync('test/support/example.test.ts', 'utf8'))
})

it.each(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...published])(
  'every link of %s leads to a file of the package',
  (page) => {
    const missing = linksOf(page).filter((link) => {
      const target = posix.join(posix.dirname(page), link)
      return ![...packed].some((file) => file === target || file.startsWith(`${target}/`))
    })
    expect(missing).toEqual([])
  },
)

function pagesOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => posix.join(folder, name))
}

/** Returns the relative targets of links without their fragment. Pictures stay in the repository. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/```.*?```/gs, '')
  return Array.from(text.matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g), ([, link = '']) => link)
    .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
    .map((link) => link.replace(/#.*$/, ''))
}
