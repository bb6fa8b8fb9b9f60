import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorsInPages, modulesOf } from '../../scripts/docs/code-blocks.mjs'
import { applicationOf } from '../../scripts/docs/frameworks.mjs'
import { typeErrors } from '../../scripts/docs/type-check.mjs'

const folder = 'build/pages'
/** The compiler needs some seconds of one core, and other tests run beside it. */
const COMPILING = { timeout: 120_000 }
const PAGE = 'README.md'
const fence = (code: string): string => `\`\`\`ts\n${code}\n\`\`\`\n`

describe('The TypeScript of the pages', () => {
  it('compiles against the built package', COMPILING, () => {
    const names = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    const docs = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))
    const all = ['README.md', 'site/index.md', ...docs]
    const pages = all.map((page) => [page, readFileSync(page, 'utf8')] as const)
    expect(errorsInPages(Object.fromEntries(pages), folder)).toEqual([])
  })

  it('is refused where it does not compile, by page and line', COMPILING, () => {
    const page = `# Title\n\n${fence("import { memoryStores } from '@svc/auth/memory'\nmemoryStores('panel.db')")}`
    expect(errorsInPages({ [PAGE]: page }, `${folder}-broken`)).toEqual([
      expect.stringMatching(/README-md\/line-3\.ts.*Expected 0 arguments/),
    ])
  })

  it('may use what an earlier block of the page imports, and not what it declares', () => {
    const page = fence("import { a, b } from 'x'\nconst c = a") + fence('b(c)')
    expect(modulesOf(PAGE, page)).toMatchObject({
      'README-md/line-5.ts': "import { b } from 'x'\nb(c)\nexport {}\n",
    })
  })

  it('is the module that its first line names', () => {
    const page = fence('// users.ts: the users\nexport const users = []')
    expect(modulesOf(PAGE, page)['README-md/users.ts']).toContain('users = []')
  })
})

describe('The file to start with in docs/frameworks.md', () => {
  const [, starter = ''] =
    /```ts\n(\/\/ shop\.ts\n[^]*?)```/.exec(readFileSync('docs/frameworks.md', 'utf8')) ?? []

  const servers = ['express', 'fastify', 'hono', 'nestjs', 'node', 'web-requests']
  const fronts = ['angular', 'react-admin', 'refine', 'vue']

  it('fits the server of every page whose framework is installed here', COMPILING, () => {
    const files = [...servers, ...fronts].flatMap((page) =>
      Object.entries(applicationOf(`docs/frameworks/${page}.md`, starter)),
    )
    const modules = files.filter(([path]) => !NOT_HERE.test(path))
    expect(modules.length).toBeGreaterThan(25)
    expect(typeErrors(Object.fromEntries(modules), `${folder}-frameworks`)).toEqual([])
  })
})

describe('The page of a framework', () => {
  const pages = readdirSync('docs/frameworks').map((name) => `docs/frameworks/${name}`)

  it.each(pages)('%s shows every file that its code imports', (page) => {
    const files = Object.entries(applicationOf(page, ''))
    const imported = files.flatMap(([path, code]) =>
      Array.from(code.matchAll(IMPORT), ([, module, component = '']) =>
        withoutExtension(
          module === undefined
            ? posix.join('examples/payload', component)
            : posix.join(posix.dirname(path), module),
        ),
      ),
    )
    const shown = new Set(files.map(([path]) => withoutExtension(path)))
    expect(imported.filter((path) => !shown.has(path) && !OF_FRAMEWORK.test(path))).toEqual([])
  })
})

/** Relative imports, and components of Payload, whose paths begin in the application's folder. */
const IMPORT = /(?:from|import) '(\.[^']+)'|'(\/[\w/-]+)#\w+'/g

/** Files that a command of the framework writes. */
const OF_FRAMEWORK = /\/(?:\$types|\+types\/\w+|importMap)$/

function withoutExtension(path: string): string {
  return path.replace(/\.(?:[jt]sx?|mjs)$/, '')
}

/** Other runtimes and front ends need types that are not installed here. */
const NOT_HERE = /\/(?:bun|deno|node|vite\.config)\.ts$|(?:angular|react-admin|refine|vue)\/src\//

describe('The commands of the pages', () => {
  it('let npm 12 run the script that builds better-sqlite3', () => {
    const names = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    const pages = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))
    const installs = ['README.md', ...pages]
      .flatMap((page) => readFileSync(page, 'utf8').match(/```sh\n[^`]*```/g) ?? [])
      .filter((block) => /npm install [^\n]*better-sqlite3/.test(block))
    expect(installs.length).toBeGreaterThan(3)
    expect(installs.filter((block) => !block.includes('allowScripts.better-sqlite3'))).toEqual([])
  })
})
