import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** A run of its own: `npm run pictures`. */
const PICTURES = 'browser/pictures.ts'
/** Their hooks are those of every file. */
const SETUP = ['support/failed-attempts.ts', 'support/shared-worker.ts', 'support/mysql-only.ts']

it('no module beside the tests registers a hook at its import, as files share modules', () => {
  const modules = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /(?<!\.test)\.(?:tsx?|mjs)$/.test(file) &&
      !file.includes('node_modules') &&
      file !== PICTURES,
  )
  const atImport = /^(?:(?:before|after)(?:All|Each)|onTestFinished|vi\.\w+)\(/m
  const hooked = modules.filter((file) => atImport.test(readFileSync(`test/${file}`, 'utf8')))
  expect(hooked.toSorted()).toEqual(SETUP.toSorted())
})
