import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

describe.each([
  ['docs/users.md', 'test/users/guide'],
  ['docs/password-hashes.md', 'test/users/hashes-guide'],
])('%s', (path, folder) => {
  const page = readFileSync(path, 'utf8')

  it.each(readdirSync(folder))('shows %s as it is checked', (name) => {
    expect(page).toContain(readFileSync(`${folder}/${name}`, 'utf8'))
  })
})
