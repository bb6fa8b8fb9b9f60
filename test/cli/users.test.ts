import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configOf } from './command.ts'
import { svc, SVC } from '../support/svc.ts'
import { svcHere } from '../support/svc-here.ts'

const STRANGER = configOf('stranger-host.mjs')
const env = { APP_KEY: 'a key of the tests of 32 characters or more' }
const REMOVE = ['--config', STRANGER, 'user', 'remove', '--id', '1']
const CREATE = ['--config', STRANGER, 'user', 'create', '--email', 'bea@example.com']
const GOOD = 'fifteen letters and more'

describe('svc user remove', { timeout: 30_000 }, () => {
  it('removes nobody without a terminal and without --yes', async () => {
    const { code, stdout, stderr } = await svc(REMOVE, { env, input: 'yes\n' })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Nothing was changed. Confirm with --yes.')
  })

  it('removes the user with --yes', async () => {
    const { code, stdout } = await svc([...REMOVE, '--yes'], { env })
    expect([code, stdout]).toEqual([0, 'ada@example.com is removed.\n'])
  })

  it.each([
    ['yes', 0, 'ada@example.com is removed.'],
    ['no', 1, 'Not confirmed: nothing was changed.'],
    ['', 1, 'Not confirmed: nothing was changed.'],
    ['\u0004', 1, 'No answer: nothing was changed.'],
  ])('asks at a terminal, where the name cannot act on it: %j', async (typed, code, said) => {
    const stranger = JSON.stringify('Ada\u001b[2J\nRemove nobody')
    const command = `${process.execPath} ${SVC} ${REMOVE.join(' ')}`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env['PATH'], STRANGER: stranger, NO_COLOR: '1', ...env },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (output.includes('(yes/no)') || !(output + chunk).includes('(yes/no)')) output += chunk
      else {
        output += chunk
        child.stdin.write(typed === '\u0004' ? typed : `${typed}\n`)
      }
    })
    const [ended]: (number | null)[] = await once(child, 'close')
    expect(output).toContain(
      'Remove Ada\\u001b[2J\\u000aRemove nobody <ada@example.com>, whose id is 1, and end every session?',
    )
    expect(output).toContain(said)
    expect(ended).toBe(code)
  })
})

describe('svc user create, of a host without rules for passwords', { timeout: 30_000 }, () => {
  it.each([
    ['empty', '', 'run this at a terminal, or pipe the password'],
    ['too short', 'fourteen chars', 'at least 15 characters'],
    ['of few different characters', 'aaaaaaaaaaaaaaaaaaaa', 'repeats'],
    ['longer than a login accepts', 'x1y2z'.repeat(300), 'at most 1024'],
    ['of several lines', 'fifteen letters and more\nand another', 'has several lines'],
    ['with the email in it', 'Bea@example.com, twice', 'contains the email'],
  ])('refuses a password that is %s', async (_what, password, said) => {
    const { code, stdout, stderr } = await svcHere(CREATE, { env, input: `${password}\n` })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(said)])
  })

  it('accepts any other', async () => {
    const { code, stdout } = await svc(CREATE, { env, input: `${GOOD}\n` })
    expect([code, stdout]).toEqual([0, 'bea@example.com can log in.\n'])
  })
})
