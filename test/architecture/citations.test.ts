import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entrySources } from '../../scripts/package-entries.mjs'
import { pages as writtenPages } from '../../scripts/docs/pages.mjs'
import { anchorOf, titlesOf } from '../support/markdown.ts'

interface Text {
  readonly path: string
  readonly text: string
}

/** The pages as they ship, by their paths. */
const written = writtenPages()
const code = ['src', 'web', 'panel', 'bench', 'scripts', 'test'].flatMap(textsIn)
const pages = [
  ...Array.from(written, ([path, text]) => ({ path, text })),
  ...readdirSync('.')
    .filter((name) => name.endsWith('.md'))
    .map(read),
]

/** The rows of the specification, and those that leave a question to docs/http-api.md. */
const specification = read('docs/specification.md').text
const rows = Array.from(specification.matchAll(/\*\*([A-Z]{2}-\d+) /g), ([, row = '']) => row)
const leftOpen = new Set(
  specification.match(/(?<=^- \*\*)[A-Z]{2}-\d+(?= (?:(?!\n- |\n\n)[^])*?Decided\s+in)/gm),
)

describe('Citations', () => {
  it('`@see` names a page of docs/ with a title, a published standard or a public name', () => {
    const known = [PAGE_AND_TITLES, PUBLIC_NAME, ...STANDARDS]
    const unknown = citations().filter((cited) => !known.some((form) => form.test(cited.text)))
    expect(unknown).toEqual([])
  })

  it('quoted titles of a page of docs/ are headings of that page', () => {
    const quoted = [...code, ...pages].flatMap(({ path, text }) =>
      Array.from(flat(text).matchAll(QUOTED_TITLES), ([, page = '', titles = '']) =>
        Array.from(titles.matchAll(/"([^"]+)"/g), ([, title = '']) => ({ path, page, title })),
      ).flat(),
    )
    expect(quoted).not.toEqual([])
    expect(quoted.filter(({ page, title }) => !hasHeading(`docs/${page}`, title))).toEqual([])
  })

  it('`@see` names only existing rows of the specification', () => {
    const cited = citations().flatMap(({ text }) => text.match(/\b[A-Z]{2}-\d+\b(?=$|:)/g) ?? [])
    expect(cited).not.toEqual([])
    expect(cited.filter((row) => !rows.includes(row))).toEqual([])
  })

  it('`@see` names only public names that the entry exports', () => {
    const missing = citations().filter(({ text }) => {
      const [, name = '', entry = 'index'] = PUBLIC_NAME.exec(text) ?? []
      return name !== '' && !read(entrySources[entry] ?? '').text.includes(name)
    })
    expect(missing).toEqual([])
  })

  it('texts name only pages and files of the repository', () => {
    const named = [...code, ...pages].flatMap(({ path, text }) =>
      Array.from(text.matchAll(NAMED_FILE), ([, file = '']) => ({ path, file })),
    )
    const missing = named.filter(
      ({ path, file }) =>
        !['.', posix.dirname(path), 'docs'].some((folder) => existsSync(posix.join(folder, file))),
    )
    expect(missing).toEqual([])
  })

  it('the specification and the HTTP API are cited by the paths of their pages', () => {
    const cited = code.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/(?<!OpenAPI )Specification, "|\bHTTP contract\b/g), () => path),
    )
    expect(cited.filter((path) => path !== 'test/architecture/citations.test.ts')).toEqual([])
  })

  it('links from page to page lead to headings that exist', () => {
    const links = pages.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/\]\(([\w./-]*)#([^)]+)\)/g), ([, page = '', anchor = '']) => ({
        from: path,
        to: page === '' ? path : posix.join(posix.dirname(path), page),
        anchor,
      })),
    )
    expect(links).not.toEqual([])
    const broken = links.filter(
      ({ to, anchor }) =>
        !titlesOf(written.get(to) ?? read(to).text).some((title) => anchorOf(title) === anchor),
    )
    expect(broken).toEqual([])
  })
})

describe('Rows of the specification', () => {
  const named = new Set(spokenInTests().flatMap(({ text }) => text.match(ROW_ID) ?? []))

  it('every row that is not left open is named by the title of a test', () => {
    expect(rows.filter((row) => !leftOpen.has(row) && !named.has(row))).toEqual([])
  })

  it('every row that a test names exists', () => {
    expect([...named].filter((row) => !rows.includes(row))).toEqual([])
  })
})

describe('Case ids', () => {
  const explained = ['docs/attack-cases.md', 'docs/panel-checks.md'].flatMap((page) =>
    Array.from(read(page).text.matchAll(/^- \*\*(\S+) /gm), ([, id = '']) => id),
  )
  const named = idsInTests()

  it('every id that a test names is explained', () => {
    const unexplained = [...named].filter(([id]) => !explained.includes(id))
    expect(Object.fromEntries(unexplained)).toEqual({})
  })

  it('every id that is explained is named by a test', () => {
    expect(explained.filter((id) => !named.has(id))).toEqual([])
  })

  it('every id is explained once', () => {
    expect(explained.filter((id, index) => explained.indexOf(id) !== index)).toEqual([])
  })
})

const PAGE_AND_TITLES = /^docs\/[\w/-]+\.md, "[^"]+"(?: and "[^"]+")*(?:, [A-Z]{2}-\d+)?(?:: .+)?$/
const PUBLIC_NAME = /^`(\w+)` of `@svc\/auth(?:\/(\w+))?`$/

/** A section, what it is about, and what it says. */
const DETAIL = String.raw`(?: \([^)]+\))?(?:, section [\d.]+)?(?: \([^)]+\))?(?:: .+)?$`
const STANDARDS = [
  new RegExp(String.raw`^RFC \d+(?:bis)?${DETAIL}`),
  new RegExp(String.raw`^NIST SP 800-\w+(?:-\d+)?${DETAIL}`),
  /^OWASP ASVS [\d.]+, [V\d.]+(?:: .+)?$/,
  /^W3C [A-Z][\w ]+$/,
  /^WHATWG [A-Z][\w ]+, "[^"]+"$/,
  /^OpenAPI Specification [\d.]+$/,
  /^AWS Architecture Blog, "[^"]+"(?:, on [\w ]+)?$/,
]

/** A page by any name, or another file by its path from the root; `../` in front of it does not count. */
const NAMED_FILE =
  /(?<![\w@./-])(?:\.\.\/)*([\w./-]+\.md|(?:src|web|panel|bench|scripts|test|docs)\/[\w./-]+\.(?:tsx?|mjs|css|html))\b/g

/** A page in docs/ and the titles behind it: plain in code, in backticks or in the text of a link in a page. */
const QUOTED_TITLES =
  /(?<![\w/])(?:docs\/|\[)([\w-]+\.md)`?, ("[^"]+"(?:(?:\]\([^)]*\))? and \[?"[^"]+")*)/g

function read(path: string): Text {
  return { path, text: readFileSync(path, 'utf8') }
}

function textsIn(folder: string): readonly Text[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.(?:tsx?|mjs|css|html|md)$/.test(name) && !name.includes('node_modules'))
    .map((name) => read(posix.join(folder, name)))
}

/** Joins the lines of a comment or a paragraph, so that a citation may go on in the next line. */
function flat(text: string): string {
  return text.replaceAll(/\n\s*(?:\*(?!\/) ?)?/g, ' ')
}

/** Returns what stands behind each `@see` in the code, split at semicolons. */
function citations(): readonly Text[] {
  return code
    .filter(({ path }) => path !== 'test/architecture/citations.test.ts')
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/@see (.+?)(?=\s*\*\/|\n\s*\*\s*(?:@|\n))/gs), ([, cited = '']) =>
        flat(cited)
          .split('; ')
          .map((one) => ({ path, text: one })),
      ).flat(),
    )
}

/** Returns the texts of the tests without their comments. */
function spokenInTests(): readonly Text[] {
  return code
    .filter(({ path }) => path.startsWith('test/'))
    .map(({ path, text }) => ({ path, text: text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '') }))
}

/** Returns the case ids in the tests, each with a file that names it. */
function idsInTests(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { path, text: spoken } of spokenInTests()) {
    const titles = /^test\/(?:browser|firefox|react)\//.test(path) ? spoken.match(SCREEN_IDS) : []
    for (const id of [...(spoken.match(ATTACK_ID) ?? []), ...(titles ?? []).flatMap(idsOf)])
      found.set(id, path)
  }
  return found
}

const ROW_ID = /\b(?:DO|CR|US|NE|TS|RC|TC|LS|EV|SF|NO|EN|AU|EE|ER|LI|VE)-\d+\b/g
/** The letters of the ids are those of the headings, such as `## THR: login throttle`. */
const ATTACK_ID = new RegExp(
  `\\b(?:${Array.from(
    readFileSync('docs/attack-cases.md', 'utf8').matchAll(/^## (\w+): /gm),
    ([, letters]) => letters,
  ).join('|')})-\\d+\\b`,
  'g',
)
/** The ids at the start of a screen test's title: `UJ-18 UJ-19 `, `X1–X7, X9 `, `L5 `. */
const SCREEN_IDS = /(?<=['"`])(?:(?:UJ-\d+|[LCVSBX]\d+(?:–[LCVSBX]\d+)?),? )+/g

function idsOf(title: string): readonly string[] {
  return title.split(/,? /).flatMap((id) => {
    const [, letter = '', first, last] = /^(\w)(\d+)–\w(\d+)$/.exec(id) ?? []
    if (letter === '') return id === '' ? [] : [id]
    const count = Number(last) - Number(first) + 1
    return Array.from({ length: count }, (_, index) => letter + (Number(first) + index))
  })
}

function hasHeading(page: string, title: string): boolean {
  return titlesOf(written.get(page) ?? '').includes(title)
}
