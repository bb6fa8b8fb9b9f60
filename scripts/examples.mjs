// Runs the example applications against the packed package, and walks through each in Chromium.
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { drawsScreens, walkThroughAdmin } from './examples/admin-journey.mjs'
import { hasGuardedJourney, walkThroughGuarded } from './examples/guarded-journey.mjs'
import { walkThrough } from './examples/journey.mjs'
import { hasSingleSignOn, walkThroughSingleSignOn } from './examples/single-sign-on-journey.mjs'
import { OLDEST } from './examples/oldest.mjs'
import { binFolderOf, installNode } from './node-releases.mjs'
import { freePort } from './free-port.mjs'
import { ensureProgram } from './programs.mjs'

const HELP = `Usage: npm run examples [-- NAME... | --list | --few]

Packs the project, installs every application of examples/ with the package in a temporary folder, checks
its types, builds it, starts it by each of its start scripts, and walks through it in a browser: log in, code,
guarded read and write, form, page with return, live bell, log out. An example with a \`test\` script runs that.
${Object.keys(OLDEST).join(' and ')} are walked through again with the oldest releases of their framework.

  NAME...  only these; hono:bun is one of the start scripts of an example, start:bun; react-admin:oldest is
           an example with the oldest releases
  --few    only ${few().join(' and ')}, which differ most
  --list   prints the names
`
const START_MS = 120_000
/** Longer than the four seconds after which `closeOnSignals` drops connections. */
const STOP_MS = 9_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    list: { type: 'boolean' },
    few: { type: 'boolean' },
  },
})

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const all = readdirSync('examples').filter(isApplication)
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
if (values.list) {
  console.log(all.join('\n'))
  process.exit(0)
}
const unknown = positionals.filter((choice) => !isKnown(choice))
if (unknown.length > 0) {
  console.error(`No such example: ${unknown.join(', ')}. They are: ${all.join(', ')}`)
  process.exit(2)
}

// Outside the project, whose packages and settings an application must not find.
const folder = join(tmpdir(), 'svc-auth-examples')
const chosen = positionals.length > 0 ? positionals : values.few ? few() : all
mkdirSync(folder, { recursive: true })
const tarball = pack()
rmSync(join(folder, 'shop'), { recursive: true, force: true })
cpSync('examples/shop', join(folder, 'shop'), { recursive: true })
const browser = await chromium.launch({ executablePath: ensureProgram('chromium') })
const failed = []
for (const choice of chosen.flatMap(variantsOf)) {
  console.log(`\n${choice}`)
  try {
    await runExample(choice)
  } catch (error) {
    failed.push(choice)
    console.error(`  ✗ ${error.message}`)
  }
}
await browser.close()
console.log(
  `\n${chosen.flatMap(variantsOf).length - failed.length} passed, ${failed.length} failed`,
)
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`)
  process.exit(1)
}

/** The applications that differ most: a Node server, and one of web requests on another runtime. */
function few() {
  return ['express', 'hono:bun']
}

function isApplication(name) {
  if (!existsSync(join('examples', name, 'package.json'))) return false
  const { scripts } = manifestOf(join('examples', name))
  return scripts?.start !== undefined || scripts?.test !== undefined
}

/** Returns whether a choice names an example, alone, with a start script, or with `oldest`. */
function isKnown(choice) {
  const [name, platform] = choice.split(':')
  if (!all.includes(name)) return false
  return (
    platform === undefined ||
    isOldest(choice) ||
    hasScript(join('examples', name), `start:${platform}`)
  )
}

/** Returns the choice, and the example again with the oldest releases of its framework. */
function variantsOf(choice) {
  return choice in OLDEST ? [choice, `${choice}:oldest`] : [choice]
}

function isOldest(choice) {
  const [name, variant] = choice.split(':')
  return variant === 'oldest' && name in OLDEST
}

function manifestOf(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
}

function pack() {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  return join(folder, execFileSync('npm', args, { encoding: 'utf8' }).trim())
}

async function runExample(choice) {
  const [name, variant] = choice.split(':')
  const platform = isOldest(choice) ? undefined : variant
  const copy = join(folder, choice.replace(':', '-'))
  const environment = environmentOf(name)
  const versions = isOldest(choice) ? OLDEST[name] : {}
  timed('installed', () => install(name, copy, environment, versions))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  // A build may contain the origin.
  const served = { ...environment, PORT: String(port), APP_URL: origin }
  if (hasScript(copy, 'check')) timed('types checked', () => npm(copy, 'run check', served))
  if (hasScript(copy, 'build')) timed('built', () => npm(copy, 'run build', served))
  if (hasScript(copy, 'test'))
    timed('tested', () =>
      npm(copy, 'test', { ...environment, CHROMIUM: ensureProgram('chromium') }),
    )
  const scripts = platform === undefined ? startScriptsOf(copy) : [`start:${platform}`]
  for (const script of scripts) {
    console.log(`  npm run ${script}`)
    await walk(name, start(copy, script, served), origin)
  }
}

function startScriptsOf(path) {
  return Object.keys(manifestOf(path).scripts).filter((script) => /^start(:|$)/.test(script))
}

async function walk(name, application, origin) {
  const report = (step) => console.log(`  ✓ ${step}`)
  const { output } = application
  let failure = null
  try {
    await application.answers(`${origin}/svc/api/csrf-cookie`)
    if (hasGuardedJourney(name)) await walkThroughGuarded(browser, { name, origin }, report)
    else if (drawsScreens(name)) await walkThroughAdmin(browser, { name, origin, output }, report)
    else if (hasSingleSignOn(name)) await walkThroughSingleSignOn(browser, { origin }, report)
    else await walkThrough(browser, origin, report)
  } catch (error) {
    failure = new Error(`${error.message}\n${application.output()}`, { cause: error })
  }
  const hasStopped = await application.stop(origin)
  if (failure !== null) throw failure
  if (!hasStopped) throw new Error(`SIGTERM has not ended it\n${application.output()}`)
  report('ends at SIGTERM')
}

/** Returns the environment with the Node that the application needs. */
function environmentOf(name) {
  const { engines } = manifestOf(join('examples', name))
  const needed = Number(/\d+/.exec(engines?.node ?? '0')[0])
  if (Number.parseInt(process.versions.node, 10) >= needed) return process.env
  installNode('24')
  return { ...process.env, PATH: `${binFolderOf('24')}${delimiter}${process.env.PATH}` }
}

/** Copies the application with its installed packages of the last run, and installs the package. */
function install(name, copy, environment, versions) {
  const kept = `${copy}.node_modules`
  if (existsSync(join(copy, 'node_modules'))) execFileSync('mv', [join(copy, 'node_modules'), kept])
  rmSync(copy, { recursive: true, force: true })
  cpSync(join('examples', name), copy, { recursive: true })
  if (existsSync(kept)) execFileSync('mv', [kept, join(copy, 'node_modules')])
  rmSync(join(copy, 'node_modules/@svc'), { recursive: true, force: true })
  rmSync(join(copy, 'node_modules/@example'), { recursive: true, force: true })
  const manifest = manifestOf(copy)
  manifest.dependencies['@svc/auth'] = `file:${tarball}`
  replaceVersions(manifest, versions)
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest, null, 2))
  npm(copy, 'install --install-links --no-audit --no-fund --loglevel=error', environment)
}

/** A package that the application does not name is one that its framework needs. */
function replaceVersions(manifest, versions) {
  const { dependencies, devDependencies } = manifest
  manifest.overrides = { ...versions, ...manifest.overrides }
  for (const [name, version] of Object.entries(versions)) {
    if (name in dependencies) dependencies[name] = version
    if (name in devDependencies) devDependencies[name] = version
  }
}

function hasScript(path, name) {
  return manifestOf(path).scripts[name] !== undefined
}

function npm(cwd, command, env) {
  try {
    execFileSync('npm', command.split(' '), { cwd, env, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    throw new Error(`npm ${command}\n${error.stdout}\n${error.stderr}`, { cause: error })
  }
}

function timed(what, run) {
  const before = performance.now()
  run()
  console.log(`  ${what} in ${((performance.now() - before) / 1000).toFixed(1)} s`)
}

function start(cwd, script, env) {
  let output = ''
  // A group of its own, so that the processes of npm end together.
  const child = spawn('npm', ['run', script], { cwd, env, detached: true })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-10_000)))
  return {
    output: () => output,
    async answers(address) {
      for (const until = Date.now() + START_MS; Date.now() < until && !hasEnded();) {
        const answer = await fetch(address).catch(() => null)
        if (answer?.status === 204) return
        await sleep(200)
      }
      throw new Error(`${address} does not answer`)
    },
    /** Returns whether SIGTERM was enough, as `docker stop` sends it. */
    async stop(origin) {
      killGroup(child, 'SIGTERM')
      // npm may end before the server does.
      const isGone = async () => hasEnded() && (await isRefused(origin))
      for (const until = Date.now() + STOP_MS; Date.now() < until; await sleep(50))
        if (await isGone()) return true
      killGroup(child, 'SIGKILL')
      return false
    },
  }
}

async function isRefused(origin) {
  return fetch(origin, { signal: AbortSignal.timeout(1000) }).then(
    () => false,
    (error) => error.cause?.code === 'ECONNREFUSED',
  )
}

function killGroup({ pid }, signal) {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
