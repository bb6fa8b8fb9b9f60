import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { pages } from '../../scripts/docs/pages.mjs'
import { sections } from '../../site/navigation.mjs'
import { packedFiles } from '../support/packed.ts'

const readme = readFileSync('README.md', 'utf8')
const browser = readFileSync('docs/browser.md', 'utf8')
const examples = readdirSync('test/readme').filter((name) => !name.includes('.test.'))

it.each(examples)('the README or docs/browser.md shows %s as it is checked', (name) => {
  expect(readme + browser).toContain(readFileSync(`test/readme/${name}`, 'utf8'))
})

const published = new Map([
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md'].map(
    (page) => [page, readFileSync(page, 'utf8')] as const,
  ),
  ...pages(),
])

it.each([...published])('no sample of %s returns the whole user', (_page, text) => {
  const samples = Array.from(text.matchAll(/```\w+\n(.*?)```/gs), ([code]) => code)
  const whole = samples.flatMap(
    (code) => code.match(/.*(?:seenBy: user\b|[^=] userOf\([^)]*\))(?!\??\.).*/g) ?? [],
  )
  expect(whole).toEqual([])
})

const packed: ReadonlySet<string> = new Set(packedFiles())

it('test/support/README.md shows its example as it is checked', () => {
  const shown = readFileSync('test/support/README.md', 'utf8')
  expect(shown).toContain(readFileSync('test/support/example.test.ts', 'utf8'))
})

it.each([...published])('every link of %s leads to a file of the package', (page, text) => {
  const missing = targetsOf(page, text).filter((target) => !isIn(packed, target))
  expect(missing).toEqual([])
})

it('every link of the README leads to a page of the site, too', () => {
  const onSite = new Set([...published.keys(), ...pagesOfSite()])
  const missing = targetsOf('README.md', readme).filter((target) => !isIn(onSite, target))
  expect(missing).toEqual([])
})

it.each(repositoryPages())('every link of %s in the repository leads to a file', (page) => {
  const missing = targetsOf(page, readFileSync(page, 'utf8')).filter((file) => !existsSync(file))
  expect(missing).toEqual([])
})

const withPage = readdirSync('examples').filter((name) => existsSync(`docs/frameworks/${name}.md`))

it.each(withPage)('the page of a framework shows the server of examples/%s', (name) => {
  const page = readFileSync(`docs/frameworks/${name}.md`, 'utf8')
  const server = ['auth.ts', 'server.ts'].filter((file) => existsSync(`examples/${name}/${file}`))
  const missing = server.filter((file) => !page.includes(`generated: examples/${name}/${file}`))
  expect(missing).toEqual([])
})

function repositoryPages(): readonly string[] {
  return [...published.keys(), 'CONTRIBUTING.md', 'examples/README.md', 'test/support/README.md']
}

function pagesOfSite(): readonly string[] {
  return sections.flatMap((section) => section.pages.map((page) => `${page}.md`))
}

function isIn(files: ReadonlySet<string>, target: string): boolean {
  return [...files].some((file) => file === target || file.startsWith(`${target}/`))
}

/** Returns the files that the links of a page name, except pictures. */
function targetsOf(page: string, text: string): readonly string[] {
  const code = text.replaceAll(/```.*?```/gs, '')
  return Array.from(code.matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g), ([, link = '']) => link)
    .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
    .map((link) => posix.join(posix.dirname(page), decodeURIComponent(link.replace(/#.*$/, ''))))
}
