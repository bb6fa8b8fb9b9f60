import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { openStream } from '../support/bell-stream.ts'
import { browserAt } from '../support/browser.ts'
import { packTarball } from '../support/packed.ts'
import { temporaryFolder } from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { SECRET, SESSION } from './deployed.ts'
import { argumentsOf, containerOf, instruction, serviceOf, unitSettings } from './deploy-files.ts'
import { proxies } from './proxies.ts'

/* What the Dockerfile, the Compose file, the unit and the manifests of docs/deploy run, without their engines. */

const ADA = 'ada@example.com'

type Variables = Readonly<Record<string, string>>

/** Installs the application as the Dockerfile does, with the package as it is built here. */
function install(): string {
  const folder = temporaryFolder()
  cpSync('docs/deploy/app', folder, { recursive: true })
  sh(folder, `npm install --package-lock-only --no-audit --no-fund ${packTarball(folder)}`)
  sh(folder, instruction('RUN'))
  return folder
}

function sh(cwd: string, command: string): void {
  execFileSync('sh', ['-c', command], { cwd, stdio: 'pipe' })
}

const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)

/** Runs a command of a file. @returns its standard output. */
function run(cwd: string, command: readonly string[], env: Variables, input = ''): string {
  const [program = '', ...args] = command
  return execFileSync(program, args, { cwd, env: { PATH, ...env }, input, encoding: 'utf8' })
}

/** Returns the variables that the Compose file gives to a node, with its secrets in files here. */
async function variables(origin: string): Promise<Variables> {
  const folder = temporaryFolder()
  const secrets: Variables = {
    app_key: `a key of the tests: ${performance.timeOrigin} ${origin}`,
    database_url: await emptyPostgres(),
    redis_url: inject('redisUrl'),
  }
  const { environment } = serviceOf('node-one')
  const files = Object.entries(environment)
    .filter(([name]) => name.endsWith('_FILE'))
    .map(([name, place]) => {
      const secret = place.replace('/run/secrets/', '')
      const file = join(folder, secret)
      writeFileSync(file, `${secrets[secret]}\n`)
      return [name, file] as const
    })
  return { ...Object.fromEntries(files), APP_URL: origin, TRUSTED_PROXIES: '127.0.0.1' }
}

/** Starts a node as the Dockerfile does. */
async function startNode(folder: string, env: Variables) {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const [program = '', ...args] = argumentsOf('CMD')
  expect(unitSettings('ExecStart')).toEqual([`/usr/bin/${program} ${args.join(' ')}`])
  expect(containerOf('Deployment').command).toEqual([program, ...args])
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      PATH,
      NODE_ENV: 'production',
      ...env,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (log += chunk))
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const probe = async (path: string): Promise<number> => {
    if (child.exitCode !== null) throw new Error(`the node ended: ${log}`)
    return fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    )
  }
  const { readinessProbe } = containerOf('Deployment')
  await expect
    .poll(async () => probe(readinessProbe?.httpGet.path ?? ''), { timeout: 30_000 })
    .toBe(200)
  return {
    port,
    log: () => log,
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    async stop(signal: NodeJS.Signals) {
      child.kill(signal)
      return ended
    },
  }
}

it(
  'the files of docs/deploy run two nodes behind HAProxy, migrate, prune and stop',
  { timeout: 600_000 },
  async () => {
    const https = await freePort()
    const origin = `https://panel.example.com:${https}`
    const folder = install()
    const env = await variables(origin)

    const migrate = serviceOf('migrate').command ?? []
    expect(containerOf('Job').command).toEqual(migrate)
    expect(run(folder, migrate, env)).toContain('The tables of the service')
    expect(run(folder, migrate, env)).toContain('nothing to do')
    const create = ['npx', 'svc', 'user', 'create', '--email', ADA, '--name', 'Ada']
    expect(run(folder, create, env, SECRET)).toContain('can log in')

    const nodes = [await startNode(folder, env), await startNode(folder, env)]
    const proxy = await proxies['HAProxy']?.({ https, nodes: nodes.map(({ port }) => port) })
    const lookup: LookupFunction = (_host, { all }, answer) => {
      if (all === true) answer(null, [{ address: '127.0.0.1', family: 4 }])
      else answer(null, '127.0.0.1', 4)
    }
    const ada = browserAt(origin, { connecting: { ca: proxy?.ca ?? '', lookup } })
    await expect.poll(async () => (await ada.logIn(ADA, SECRET)).status).toBe(200)
    expect((await ada.get('/svc/api/user')).json).toMatchObject({ email: ADA })
    // The command, the log and the metrics of the runbook.
    expect(run(folder, ['npx', 'svc', 'user', 'list'], env)).toContain(ADA)
    expect(nodes.map((node) => node.log()).join('')).toContain('"event":"login"')
    for (const node of nodes) expect(await node.metrics()).toContain('svc_auth_streams')
    const cookie = `${SESSION}=${ada.cookie(SESSION)}`
    const stream = await openStream(origin, ada, { cookie })
    expect(await stream.next()).toMatchObject({ data: { unread_count: 0 } })

    const [first, second] = nodes
    for (const node of nodes) {
      const check = argumentsOf('HEALTHCHECK').map((one) => one.replace(':3000', `:${node.port}`))
      expect(() => run(folder, check, {})).not.toThrow()
    }
    // Other tests use the same Redis, and their records may be due.
    expect(run(folder, containerOf('CronJob').command, env)).toMatch(/^Removed \d+ records/)

    expect(unitSettings('KillSignal')).toEqual([instruction('STOPSIGNAL')])
    expect(await first?.stop('SIGTERM')).toEqual([0, null])
    for (let asked = 0; asked < 5; asked += 1)
      expect((await ada.get('/svc/api/user')).status).toBe(200)
    const down = argumentsOf('HEALTHCHECK').map((one) => one.replace(':3000', `:${first?.port}`))
    expect(() => run(folder, down, {})).toThrow()
    expect(await second?.stop('SIGTERM')).toEqual([0, null])
    expect((await ada.get('/svc/api/user')).status).toBe(503)
  },
)
