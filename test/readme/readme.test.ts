import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const readme = readFileSync('README.md', 'utf8')
const examples = readdirSync('test/readme').filter((name) => !name.includes('.test.'))

it.each(examples)('the README shows %s as it is checked', (name) => {
  expect(readme).toContain(readFileSync(`test/readme/${name}`, 'utf8'))
})
