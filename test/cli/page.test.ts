import { describe, expect, it } from 'vitest'
import { pages } from '../../scripts/docs/pages.mjs'

const page = pages().get('docs/cli.md') ?? ''

describe('docs/cli.md', () => {
  it.each(['key generate', 'doctor', 'migrate', 'session revoke', 'two-factor reset', 'user list'])(
    'describes svc %s',
    (name) => expect(page).toContain(`\n### \`svc ${name}\`\n`),
  )
})
