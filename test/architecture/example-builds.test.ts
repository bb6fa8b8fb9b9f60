import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Frameworks whose build, or its rendering of pages, imports the files of the server. */
const BUNDLERS = ['next', 'nuxt', '@sveltejs/kit', '@react-router/dev']

const applications = readdirSync('examples').filter(
  (name) => name !== 'shop' && !name.includes('.'),
)

const bundled = applications.filter((name) => {
  const manifest = readFileSync(join('examples', name, 'package.json'), 'utf8')
  return BUNDLERS.some((framework) => manifest.includes(`"${framework}":`))
})

it.each(bundled)('a build of examples/%s opens no database, because a request does', (name) => {
  const creating = sourcesOf(name).filter((code) => code.includes('createPanelAuth({'))
  expect(creating).toHaveLength(1)
  expect(creating[0]).toMatch(/openOnce\('panel', \(\) => \{[^]*createPanelAuth\(\{/)
})

it('examples of every such framework are read', () => {
  expect(bundled).toEqual(['next', 'nuxt', 'payload', 'react-router', 'sveltekit'])
})

it.each(applications)('examples/%s has a second factor in at most four lines', (name) => {
  const lines = sourcesOf(name).flatMap((code) => code.split('\n'))
  expect(lines.filter((line) => line.includes('twoFactor: totp({'))).toHaveLength(1)
  const about = lines.filter((line) => /totp|factors|mustUseTwoFactor/.test(line))
  expect(about.length).toBeLessThanOrEqual(4)
})

it('no sample parses APP_URL before the service has checked it', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|[jt]s)$/.test(name))
    .map((name) => join('docs', name))
  const texts = ['README.md', 'src/cli/init/files.ts', ...pages].map((file) =>
    readFileSync(file, 'utf8'),
  )
  const parsing = [...applications.flatMap(sourcesOf), ...texts].filter((text) =>
    /new URL\((?:url|APP_URL|process\.env[^)]*)\)/.test(text),
  )
  expect(parsing).toEqual([])
})

/** Returns the sources of an example. */
function sourcesOf(name: string): readonly string[] {
  return readdirSync(join('examples', name), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]sx?$/.test(file) && !/node_modules|[.]next|[.]nuxt|dist/.test(file))
    .map((file) => readFileSync(join('examples', name, file), 'utf8'))
}
