import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { isLoopbackUrl } from '../../build/panel/people.js'
import { browserAt, PASSWORD } from '../support/browser.ts'
import {
  PANEL_CONFIG,
  panelOfTest,
  runPanel,
  startPanelProcess,
  temporaryFolder,
  type Environment,
} from '../support/panel.ts'
import { svcHere } from '../support/svc-here.ts'
import { SVC } from '../support/svc.ts'

const PUBLIC = 'https://panel.example.com'
const USER = ['--config', PANEL_CONFIG, 'user']
const GOOD = 'fifteen letters and more'
const CREATE = ['create', '--email', 'ada@example.com']
const external = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.internal === false && address.family === 'IPv4')?.address

describe('the users of the reference panel', () => {
  it('are none when the panel is public, and the start prints how to create the first', async () => {
    const folder = temporaryFolder()
    const panel = await startPanelProcess({ SVC_DATA: folder, APP_URL: PUBLIC })
    expect(await panel.end('SIGTERM')).toBe(0)
    expect(panel.stdout()).toContain('npm run user -- create --email')
    expect(panel.stdout()).not.toContain(PASSWORD)

    expect(
      await user({ SVC_DATA: folder }, ['create', '--email', 'Ada@Example.com'], GOOD),
    ).toMatchObject({
      code: 0,
    })
    const again = await startPanelProcess({ SVC_DATA: folder, APP_URL: PUBLIC })
    const browser = browserAt(again.url.replace('localhost', '127.0.0.1'), { origin: PUBLIC })
    expect((await browser.logIn('ada@example.com', GOOD)).status).toBe(200)
    expect((await browser.logIn('ada@example.com', PASSWORD)).status).toBe(422)
    await again.end('SIGTERM')
    expect(again.stdout()).not.toContain('npm run user')
  }, 60_000)

  it.each([
    ['another address', { APP_URL: PUBLIC }],
    ['another address to listen on', { HOST: '0.0.0.0' }],
  ])('keep it from starting on %s with their documented password', async (_what, settings) => {
    const { environment } = await panelOfTest()
    const open = runPanel({ ...environment, PORT: String(await freePort()), ...settings })
    expect(await open.ended()).toBe(1)
    expect(open.stderr()).toContain('ada@example.com, bea@example.com, eve@example.com')
    expect(open.stderr()).toContain('npm run user -- password')
  })

  it('let it start on another address once they have another password or are removed', async () => {
    const { environment } = await panelOfTest()
    for (const name of ['ada', 'bea', 'eve']) {
      const changed = await user(environment, ['password', '--email', `${name}@example.com`], GOOD)
      expect(changed.code).toBe(0)
    }
    const removed = await user(environment, ['remove', '--yes', '--email', 'rex@example.com'])
    expect(removed.code).toBe(0)
    const open = await startPanelProcess({ ...environment, HOST: '0.0.0.0', APP_URL: PUBLIC })
    expect(await open.end('SIGTERM')).toBe(0)
  })

  it.each([
    ['http://localhost:3000', true],
    ['http://LOCALHOST', true],
    ['http://panel.localhost', true],
    ['http://127.1.2.3:80', true],
    ['http://[::1]:3000', true],
    ['http://2130706433', true],
    ['https://localhost.example.com', false],
    ['https://127.0.0.1.example.com', false],
    ['http://0.0.0.0', false],
    ['http://[::ffff:127.0.0.1]', false],
    ['http://10.0.0.1', false],
    ['localhost:3000', false],
    ['', false],
  ])('treats %s as this machine only: %s', (url, expected) => {
    expect(isLoopbackUrl(url)).toBe(expected)
  })
})

describe('npm run user', () => {
  it('prints its usage', async () => {
    const { code, output } = await user({ SVC_DATA: temporaryFolder() }, ['--help'])
    expect(code).toBe(0)
    for (const name of ['create', 'password', 'remove', 'list']) expect(output).toContain(name)
  })

  it('refuses the password of the documentation', async () => {
    const refused = await user({ SVC_DATA: temporaryFolder() }, CREATE, PASSWORD)
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('knows it')])
  })

  it('creates no user with a refused password, and one user with an accepted one', async () => {
    const environment = { SVC_DATA: temporaryFolder() }
    expect((await user(environment, CREATE, 'fourteen chars')).code).toBe(1)
    expect((await user(environment, CREATE, `${GOOD}\n`)).code).toBe(0)
    expect(await user(environment, CREATE, GOOD)).toMatchObject({
      code: 1,
      output: expect.stringContaining('exists already'),
    })
  })

  it.each([
    [['create', '--email', 'a@b.test', '--password', GOOD], '--password', 2],
    [['create'], '--email', 2],
    [['create', '--email', 'nobody'], '--email', 2],
    [['constructor', '--email', 'a@b.test'], 'unknown command', 2],
    [['password', '--email', 'a@b.test'], 'No user has the email', 1],
  ])('refuses %j', async (args, said, expected) => {
    const { code, output } = await user({ SVC_DATA: temporaryFolder() }, args, GOOD)
    expect([code, output]).toEqual([expected, expect.stringContaining(said)])
  })

  it('does not echo a typed password', async () => {
    const folder = temporaryFolder()
    // script(1) gives the command a terminal.
    const command = `${process.execPath} ${SVC} ${USER.join(' ')} create --email ada@example.com`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env['PATH'], SVC_DATA: folder },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (/[Pp]assword: $/.test(output)) child.stdin.write(`${GOOD}\n`)
    })
    await once(child, 'close')
    expect(output).toContain('ada@example.com can log in')
    expect(output).not.toContain(GOOD)
  })
})

describe('the address of the reference panel', () => {
  it('is loopback only, in both families, while its URL is loopback', async () => {
    const PORT = String(await freePort())
    await startPanelProcess({ SVC_DATA: temporaryFolder(), PORT })
    expect(await isOpen('127.0.0.1', PORT)).toBe(true)
    if (hasIpv6()) expect(await isOpen('::1', PORT)).toBe(true)
    if (external !== undefined) expect(await isOpen(external, PORT)).toBe(false)
  })

  it('is every interface when its URL is public', async () => {
    const PORT = String(await freePort())
    await startPanelProcess({ SVC_DATA: temporaryFolder(), PORT, APP_URL: PUBLIC })
    expect(await isOpen(external ?? '127.0.0.1', PORT)).toBe(true)
  })

  it('is the one of HOST, and the printed address answers', async () => {
    const PORT = String(await freePort())
    const settings = { SVC_DATA: temporaryFolder(), PORT, HOST: '127.0.0.3' }
    const panel = await startPanelProcess(settings)
    expect(panel.stdout()).toContain(`The panel is at http://127.0.0.3:${PORT}/admin/main`)
    expect((await fetch(`http://127.0.0.3:${PORT}/admin/main`)).status).toBe(200)
    expect(await isOpen('127.0.0.1', PORT)).toBe(false)
  })

  it('is not shared with another program in either family', async () => {
    const PORT = String(await freePort())
    await startPanelProcess({ SVC_DATA: temporaryFolder(), PORT })
    const second = runPanel({ SVC_DATA: temporaryFolder(), PORT })
    expect(await second.ended()).toBe(1)
    expect(second.stderr()).toContain(
      `PORT: port ${PORT} at localhost cannot be opened; set PORT to another`,
    )
    expect(second.stderr()).toContain('EADDRINUSE')
  })

  it('is named with METRICS_PORT, too, where another program listens', async () => {
    const METRICS_PORT = String(await freePort())
    await startPanelProcess({ SVC_DATA: temporaryFolder(), PORT: METRICS_PORT })
    const second = runPanel({ SVC_DATA: temporaryFolder(), PORT: '0', METRICS_PORT })
    expect(await second.ended()).toBe(1)
    expect(second.stderr()).toContain('cannot be opened; set METRICS_PORT to another')
  })

  it('accepts connections only when its users can log in', async () => {
    const PORT = String(await freePort())
    const panel = runPanel({ SVC_DATA: temporaryFolder(), PORT })
    await expect.poll(async () => isOpen('127.0.0.1', PORT), { timeout: 10_000 }).toBe(true)
    const browser = browserAt(`http://127.0.0.1:${PORT}`, { origin: panel.url })
    expect((await browser.logIn('rex@example.com')).status).toBe(200)
  })
})

function hasIpv6(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((address) => address?.address === '::1')
}

async function isOpen(host: string, port: string): Promise<boolean> {
  const socket = connect({ host, port: Number(port) })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).then((open) => {
    socket.destroy()
    return open === true
  })
}

/** Runs the command with a password on its standard input. */
async function user(environment: Environment, args: readonly string[], password = '') {
  const { code, stdout, stderr } = await svcHere([...USER, ...args], {
    env: environment,
    input: password,
  })
  return { code, output: stdout + stderr }
}
