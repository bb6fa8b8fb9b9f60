import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parts, path } from '../../scripts/docs/cli.mjs'
import { withGenerated } from '../../scripts/docs/generated.mjs'

const page = readFileSync(path, 'utf8')

describe('docs/cli.md', () => {
  it('has the help of every command', () => {
    expect(withGenerated(page, parts()), 'run `npm run docs` to rewrite the page').toBe(page)
  })

  it.each(['key generate', 'doctor', 'migrate', 'session revoke', 'two-factor reset', 'user list'])(
    'describes svc %s',
    (name) => expect(page).toContain(`\n### \`svc ${name}\`\n`),
  )
})
