// Builds the documents as a site.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = `Usage: npm run site [-- --serve]

Installs VitePress in site/ if it is missing, and builds the documents as a site with a search that needs no server:
static files in site/.vitepress/dist. Fails if a link between pages leads nowhere.

  --serve  serves the site afterwards
`

/** Pages that only the site has. */
const OWN_PAGES = ['site/index', 'site/playground', 'site/tokens']

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, serve: { type: 'boolean' } },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

process.chdir(fileURLToPath(new URL('../site', import.meta.url)))
if (!existsSync('node_modules/vitepress')) {
  console.log('installing VitePress')
  run('npm', 'install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error')
}
copyPages()
buildPlayground()
vitepress('build')
if (values.serve) vitepress('preview')

/** Copies the pages beside the packages of the site, where the compiled pages find them. */
function copyPages() {
  rmSync('.pages', { recursive: true, force: true })
  run(process.execPath, '../scripts/docs.mjs')
  cpSync('../build/docs', '.pages/docs', { recursive: true })
  for (const name of ['README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY', ...OWN_PAGES])
    cpSync(`../${name}.md`, `.pages/${basename(name)}.md`)
  cpSync('public', '.pages/public', { recursive: true })
  cpSync('../docs/pictures', '.pages/public/pictures', { recursive: true })
}

function buildPlayground() {
  const vite = '../node_modules/vite/bin/vite.js'
  run(process.execPath, vite, 'build', '--config', 'playground.config.ts')
}

function vitepress(command) {
  run(process.execPath, 'node_modules/vitepress/bin/vitepress.js', command)
}

function run(program, ...words) {
  execFileSync(program, words, { stdio: 'inherit' })
}
