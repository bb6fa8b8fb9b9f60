import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { linkPackages } from '../support/linked-packages.ts'

const config = `export default {
  test: { setupFiles: [${JSON.stringify(resolve('test/support/failed-attempts.ts'))}], retry: 1 },
}`

/** A test whose first attempt fails and leaves a call behind. */
const FAILING_ONCE = `
  let attempts = 0
  it('fails once', async () => {
    const left = new Promise((_, reject) => setTimeout(reject, 20, new Error('it is late')))
    attempts += 1
    if (attempts === 1) throw new Error('the first attempt')
    await left.catch(() => undefined)
  })`

const LEAVING = `
  it('leaves a call behind', async () => {
    void Promise.reject(new Error('it is late'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  })`

/** Runs tests as this project does. @returns the code of the run, and what it printed. */
async function run(tests: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'svc-attempts-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  linkPackages(cwd, ['vitest', 'vite'])
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}')
  writeFileSync(join(cwd, 'vitest.config.js'), config)
  writeFileSync(join(cwd, 'one.test.js'), `import { it } from 'vitest'${tests}`)
  const vitest = resolve('node_modules/vitest/vitest.mjs')
  const env = { PATH: process.env['PATH'] }
  return promisify(execFile)(process.execPath, [vitest, 'run'], { cwd, env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
  )
}

it('a rejection that a failed attempt has left behind does not fail the run', async () => {
  expect(await run(FAILING_ONCE)).toMatchObject({ code: 0 })
})

it('a rejection that nobody handles in a test that passes fails the run, and is named', async () => {
  const { code, output } = await run(LEAVING)
  expect(code).toBe(1)
  expect(output).toContain('nobody handles a rejection in leaves a call behind')
  expect(output).toContain('it is late')
})
