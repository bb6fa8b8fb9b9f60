import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/users.md', 'utf8')

it.each(readdirSync('test/users/guide'))('docs/users.md shows %s as it is checked', (name) => {
  expect(page).toContain(readFileSync(`test/users/guide/${name}`, 'utf8'))
})
