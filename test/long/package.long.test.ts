import { execFileSync, spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { pages } from '../../scripts/docs/pages.mjs'
import { packedFiles, packTarball } from '../support/packed.ts'

/** Sizes of blocks on the disk, as `du` counts them. */
const MEGABYTE = 1024 * 1024

it('publint and attw find nothing in the packed package', { timeout: 180_000 }, () => {
  const { stderr, status } = spawnSync(process.execPath, ['scripts/check-package.mjs'], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('has every file that its pages and its code name', () => {
  const packed = new Set(packedFiles())
  const named = [...packed].flatMap((file) =>
    namesIn(file).map((name) => ({ file, name: join(dirname(file), name) })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ name }) => !packed.has(name) && !isFolderOf(packed, name))).toEqual([])
})

it('takes less than 8 MB with its dependencies, without peers', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', packTarball(folder)]
  execFileSync('npm', install, { cwd: folder })
  const modules = join(folder, 'node_modules')
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' })
  const bytes = files.reduce((sum, file) => sum + lstatSync(join(modules, file)).blocks * 512, 0)
  expect(bytes).toBeLessThan(8 * MEGABYTE)
  expect(bytes).toBeGreaterThan(2 * MEGABYTE)
})

/** Returns the relative paths of a page's links and pictures, or of a module's source map. */
function namesIn(file: string): readonly string[] {
  if (file.endsWith('.md')) {
    const links = (pages().get(file) ?? readFileSync(file, 'utf8')).matchAll(
      /\]\(([^)#\s]+)[^)]*\)/g,
    )
    return [...links].flatMap(([, name = '']) => (/^[a-z]+:/.test(name) ? [] : [name]))
  }
  if (!/\.(?:js|css)$/.test(file)) return []
  const maps = readFileSync(file, 'utf8').matchAll(/^\/[/*]# sourceMappingURL=(\S+)/gm)
  return [...maps].map(([, name = '']) => name)
}

function isFolderOf(files: ReadonlySet<string>, name: string): boolean {
  return [...files].some((file) => file.startsWith(`${name.replace(/\/$/, '')}/`))
}
