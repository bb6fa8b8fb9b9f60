import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runPanel, runSvc, startPanelProcess, temporaryFolder } from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'

const KEY = 'a key of the tests of 32 characters or more'
const OTHER = 'another key of the tests that is long enough'

describe('A panel that is started with another key', { timeout: 60_000 }, () => {
  it('exits with 1 and prints the remedy; after `npm run keys -- --yes` it starts', async () => {
    const environment = { DATABASE_URL: await emptyPostgres(), SVC_DATA: temporaryFolder() }
    const first = await startPanelProcess({ ...environment, APP_KEY: KEY })
    await first.end('SIGTERM')

    const refused = runPanel({ ...environment, APP_KEY: OTHER, PORT: '0' })
    expect(await refused.ended()).toBe(1)
    expect(refused.stderr()).toContain('APP_KEY is not the key that was used on this database')
    expect(refused.stderr()).toContain('npm run keys')

    const replaced = runSvc({ ...environment, APP_KEY: OTHER }, 'key', 'replace', '--yes')
    expect(await replaced).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The key was replaced'),
      stderr: '',
    })
    const second = await startPanelProcess({ ...environment, APP_KEY: OTHER })
    expect(await second.end('SIGTERM')).toBe(0)
    expect(await runPanel({ ...environment, APP_KEY: KEY, PORT: '0' }).ended()).toBe(1)
  })

  it('does so too when its key file was deleted', async () => {
    const folder = temporaryFolder()
    await (await startPanelProcess({ SVC_DATA: folder })).end('SIGTERM')
    rmSync(join(folder, 'app.key'))
    const panel = runPanel({ SVC_DATA: folder, PORT: '0' })
    expect(await panel.ended()).toBe(1)
    expect(panel.stderr()).toContain('npm run keys')
  })
})

describe('npm run keys', () => {
  it('changes nothing without --yes, and prints what would be lost', async () => {
    const help = await runSvc({ SVC_DATA: temporaryFolder() }, 'key', 'replace')
    expect([help.code, help.stdout]).toEqual([2, ''])
    for (const said of ['ends every session', 'second factors', 'svc key rotate', '--yes'])
      expect(help.stderr).toContain(said)
  })
})
