import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ensureProgram } from '../../scripts/programs.mjs'
import { startPanelProcess, temporaryFolder } from '../support/panel.ts'

/** The lines that docs/browser.md shows. */
const script = readFileSync(new URL('curl.sh', import.meta.url), 'utf8')

describe('curl', () => {
  it('logs in, sees the user and logs out with the lines of the documents', async () => {
    ensureProgram('curl')
    const folder = temporaryFolder()
    const { url } = await startPanelProcess({ SVC_DATA: folder })
    const { status, stdout, stderr } = spawnSync('sh', ['-eu'], {
      input: script.replace('http://localhost:3000', url),
      cwd: folder,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const [login, user, after] = stdout.split(/(?<=\})(?=\{)/).map((body) => JSON.parse(body))
    expect(login).toEqual({ two_factor: false })
    expect(user).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace' })
    expect(after.key).toBe('svc::auth.unauthenticated')
  })

  it('runs the commands that the documents show', () => {
    const page = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8')
    expect(page).toContain(script)
  })
})
