import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Frameworks whose build, or its rendering of pages, imports the files of the server. */
const BUNDLERS = ['next', 'nuxt', '@sveltejs/kit', '@react-router/dev']

const bundled = readdirSync('examples').filter((name) => {
  if (name.includes('.')) return false
  const manifest = readFileSync(join('examples', name, 'package.json'), 'utf8')
  return BUNDLERS.some((framework) => manifest.includes(`"${framework}":`))
})

it.each(bundled)('a build of examples/%s opens no database, because a request does', (name) => {
  const files = readdirSync(join('examples', name), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(join('examples', name, file), 'utf8'))
  const creating = files.filter((code) => code.includes('createPanelAuth({'))
  expect(creating).toHaveLength(1)
  expect(creating[0]).toMatch(/openOnce\('panel', \(\) => \{[^]*createPanelAuth\(\{/)
})

it('examples of every such framework are read', () => {
  expect(bundled).toEqual(['next', 'nuxt', 'payload', 'react-router', 'sveltekit'])
})
