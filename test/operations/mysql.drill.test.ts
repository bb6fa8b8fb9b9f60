import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configOf } from '../cli/command.ts'
import { ensurePrograms } from '../../scripts/programs.mjs'
import { titlesIn } from '../support/bell.ts'
import { PASSWORD } from '../support/browser.ts'
import { mysqlAdmin } from '../support/mysql.ts'
import { sharedEnvironment, startHostNode } from '../support/nodes.ts'
import { temporaryFolder, type Environment } from '../support/panel.ts'
import { BELL, LOGOUT, USER } from '../support/paths.ts'
import { GUEST, verdict } from '../support/verdicts.ts'
import { blocksOf, runBlock, sectionsOf } from './runbook.ts'

ensurePrograms(['mysql'])

const ADA = 'ada.of.mysql@example.com'
const CONFIG = configOf('mysql-panel-host.mjs')
const AFTERWARDS = /^npx svc migrate/
const RESTORE = 'Restore from a backup'

/** A panel whose sessions and notifications are in MariaDB, as the runbook reaches it. */
async function prepared() {
  const shared = await sharedEnvironment('MySQL')
  const url = shared['MYSQL_URL'] ?? ''
  const { hostname, port, pathname, username } = new URL(url)
  const folder = temporaryFolder()
  const file = join(folder, 'mysql.cnf')
  writeFileSync(file, `[client]\nhost=${hostname}\nport=${port}\nuser=${username}\n`)
  const environment: Environment = {
    ...shared,
    SVC_CONFIG: CONFIG,
    MYSQL_CNF: file,
    DATABASE: pathname.slice(1),
    BACKUP: join(folder, 'backup'),
  }
  const run = async (block = '') => {
    const ran = await runBlock(block, environment)
    expect(ran, block).toMatchObject({ code: 0 })
    return ran.stdout
  }
  return { environment, url, run }
}

/** Returns the blocks of a section that call the programs of MySQL. */
const blocksFor = (section: string) => blocksOf(section).filter((block) => /^mysql/m.test(block))

describe('The runbook on MariaDB', { timeout: 120_000 }, () => {
  it('has commands that run', async () => {
    const { run } = await prepared()
    const lines = sectionsOf()
      .filter((section) => section !== RESTORE)
      .flatMap((section) => blocksFor(section).flatMap((block) => block.trim().split('\n')))
      .filter((line) => line.startsWith('mysql'))
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) await run(line)
  })

  it('ends a transaction that does nothing', async () => {
    const { url, run } = await prepared()
    await mysqlAdmin(url, 'create table things (id integer primary key)')
    const idle = await createConnection(url)
    idle.on('error', () => undefined)
    onTestFinished(() => idle.destroy())
    await idle.query('begin')
    await idle.query('insert into things values (1)')
    await setTimeout(2000)
    const [list, end] = (blocksFor('SvcAuthPoolWaits: calls wait for a connection')[0] ?? '')
      .trim()
      .split('\n')
    expect(await run(list)).toContain(`\n${idle.threadId}\t`)
    await run(end?.replace('interval 1 minute', 'interval 1 second'))
    await expect(idle.query('commit')).rejects.toThrow(/closed|lost/)
    expect(await mysqlAdmin(url, 'select * from things')).toEqual([])
  })

  it('restores a backup, and brings no session back to life', async () => {
    const { environment, url, run } = await prepared()
    const [backUp, restore] = blocksFor(RESTORE)
    const node = await startHostNode(environment)
    await node.enrol(ADA, PASSWORD)
    await node.notify(ADA, 'before')
    const [stays, leaves] = [node.browser(), node.browser()]
    for (const browser of [stays, leaves]) expect((await browser.logIn(ADA)).status).toBe(200)
    await run(backUp)
    expect((await leaves.post(LOGOUT)).status).toBe(204)
    await node.notify(ADA, 'since')
    await mysqlAdmin(url, 'create table made_since (id integer)')
    await node.kill()

    await run(restore)
    expect((await mysqlAdmin(url, 'show tables')).flat()).not.toContain('made_since')
    const afterwards = await runBlock(
      blocksOf(RESTORE).find((block) => AFTERWARDS.test(block)) ?? '',
      environment,
    )
    expect(afterwards.code, afterwards.stderr).toBe(0)
    const restored = await startHostNode(environment)
    for (const browser of [stays, leaves])
      expect(verdict(await restored.meet(browser).get(USER))).toBe(GUEST)
    const again = restored.browser()
    expect((await again.logIn(ADA)).status).toBe(200)
    // Beside those of the service, about logins at unknown places.
    const titles = titlesIn(await again.get(BELL))
    expect(titles).toContain('before')
    expect(titles).not.toContain('since')
  })
})
