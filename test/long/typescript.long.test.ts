import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { errorsInPages } from '../../scripts/docs/code-blocks.mjs'
import { RESOLUTIONS, typeErrors } from '../../scripts/docs/type-check.mjs'
import { installOldestTypeScript, RELEASES } from '../../scripts/typescript-releases.mjs'
import { application, init } from '../cli/prepared-application.ts'

const COMPILING = { timeout: 240_000 }
const hosts = (Object.keys(RELEASES) as (keyof typeof RELEASES)[]).flatMap((release) =>
  RESOLUTIONS.map((resolution) => ({ release, resolution })),
)

/** Returns the file of the service that `svc init` writes for TypeScript. */
async function serviceFor(framework: string, driver: string): Promise<string> {
  const cwd = application(framework, driver)
  writeFileSync(join(cwd, 'tsconfig.json'), '{}')
  const { files } = await init(cwd)
  return readFileSync(join(cwd, files[0]?.path ?? ''), 'utf8')
}

beforeAll(installOldestTypeScript, 120_000)

describe.each(hosts)('With the $release TypeScript and $resolution,', COMPILING, (host) => {
  const folder = `build/pages-${host.release}-${host.resolution}`

  it('every sample of the documents compiles', () => {
    const names = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    const docs = names.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))
    const all = ['README.md', 'site/index.md', ...docs]
    const pages = all.map((page) => [page, readFileSync(page, 'utf8')] as const)
    expect(errorsInPages(Object.fromEntries(pages), folder, host)).toEqual([])
  })

  it('the service that svc init writes compiles with every database', async () => {
    const modules: Record<string, string> = {}
    for (const framework of ['express', 'next']) {
      for (const driver of ['left-pad', 'better-sqlite3', 'pg', 'mysql2'])
        modules[`${framework}/${driver}.ts`] = await serviceFor(framework, driver)
    }
    expect(typeErrors(modules, `${folder}-init`, host)).toEqual([])
  })
})
