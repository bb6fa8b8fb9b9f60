import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { Option, type Command, type OptionValues } from 'commander'
import {
  compilerAdvice,
  moduleOf,
  readApplication,
  typeWriter,
  type Application,
} from './application.ts'
import {
  databaseNames,
  databaseText,
  otherClientsOf,
  urls,
  type DatabaseText,
} from './databases.ts'
import { addKey, isIgnored, isReadByOthers, type FileState } from './environment-file.ts'
import { authFile, commandFile, openingFile } from './files.ts'
import { frameworkNames, frameworks, type Framework, type Lines } from './frameworks.ts'
import { packageManager, type PackageManager } from './package-manager.ts'
import { pagesFor, pathOfPage } from './guide-pages.ts'
import { VITE_PORT, viteLogin, viteProxy } from './vite.ts'
import { filesAround, isWorkspaceRoot } from './workspace.ts'
import { configNames } from '../command/config-file.ts'
import { addCommand, UsageError, type CommandResult } from '../command/result.ts'
import { readsTypeScript } from '../command/typescript.ts'
import { encodingFault, hasVariable, textOf } from '../command/variables.ts'

const AFTER = `
Writes the file that creates the service, the mount where the framework reads it from a file of its
own, svc.config, and an APP_KEY into .env. Never changes a file that exists, except that it adds
APP_KEY to .env.`

/** Adds the command that prepares an application. */
export function addInit(program: Command): void {
  addCommand(program, 'init', 'Writes what mounts the service in this application.', init)
    .addOption(new Option('--framework <name>', 'default: by package.json').choices(frameworkNames))
    .addOption(
      new Option(
        '--database <name>',
        'default: by the driver in package.json, else sqlite',
      ).choices(databaseNames),
    )
    .option('--two-factor', 'binds a second factor by codes of an authenticator app')
    .option('--dry-run', 'only print what would be written')
    .addHelpText('after', AFTER)
}

interface NewFile {
  readonly path: string
  readonly text: string
}

function init(options: OptionValues): CommandResult {
  const fault = encodingFault('.env')
  if (fault !== null) throw new UsageError(fault)
  const application = readApplication(options)
  const { extension, database, root } = application
  const { folder = '.', file = 'auth' }: Framework = frameworks[application.framework]
  const text = databaseText(database, application.dependencies)
  const authPath = join(root, folder, `${file}${extension}`)
  const code = codeFor(application, text)
  const isDry = options['dryRun'] === true
  const files = [
    ...filesOf(application, authPath, text).map((one) => ({
      path: one.path,
      state: writeNew(one, isDry),
    })),
    { path: '.env', state: orNamed('.env', () => addKey('.env', isDry)) },
  ]
  const mounting = { application, text, authPath, code, isDry }
  const steps = stepsOf(mounting)
  return {
    lines: [
      ...files.map(({ path, state }) => `${state.padEnd(11)} ${path}`),
      '',
      ...steps.flatMap((step, index) => `${index + 1}. ${step}`.split('\n')),
    ],
    json: { framework: application.framework, database, files, code, steps },
  }
}

function codeFor(application: Application, text: DatabaseText): Lines {
  const { code, isBundled = false }: Framework = frameworks[application.framework]
  const external = text.packages.map((name) => `, '${name}'`).join('')
  const added = [...(code ?? []), ...(application.hasVite ? viteProxy : [])]
  const lines = added.map((line) =>
    line
      .replace('AUTH', moduleOf(application))
      .replace('DRIVER', external)
      .replace('EXTENSION', application.extension)
      .replace('APP_ENV', environmentOfKit),
  )
  if (isBundled || !application.isCommonJs) return lines
  const opened = isOpenedLater(application, text) ? lines.flatMap(openLater) : lines
  return opened.map((line) => asCommonJs(line, application))
}

/** Returns the module of SvelteKit that tells a build from a server, by the installed release. */
function environmentOfKit(): string {
  const [manifest = ''] = filesAround('node_modules/@sveltejs/kit/package.json')
  return /"version"\s*:\s*"[12]\./.test(textOf(manifest)) ? '$app/environment' : '$app/env'
}

/** Returns `true` if the service's file exports a function that opens the service. */
function isOpenedLater({ framework, isCommonJs }: Application, { open }: DatabaseText): boolean {
  const { isBundled = false }: Framework = frameworks[framework]
  // CommonJS cannot await at the top level.
  return isBundled || (isCommonJs && open.some((line) => line.includes('await ')))
}

function openLater(line: string): Lines {
  if (line === '') return [line, 'const { auth } = await openPanel() // within an async function']
  return [line.replace('import { auth }', 'import { openPanel }')]
}

/** Returns a line of code for CommonJS. TypeScript replaces imports by itself. */
function asCommonJs(line: string, { language }: Application): string {
  const awaited = line.replace(/^await /, '')
  return language === 'ts'
    ? awaited
    : awaited.replace(/^import (\{.+?\}) from ('.+?')/, 'const $1 = require($2)')
}

function filesOf(
  application: Application,
  authPath: string,
  database: DatabaseText,
): readonly NewFile[] {
  const { framework, root, extension, hasTwoFactor, compiler, hasVite } = application
  const { files, isBundled = false, port = 3000 }: Framework = frameworks[framework]
  const isLater = isOpenedLater(application, database)
  const opening = isBundled ? 'for a build' : 'for CommonJS'
  const text = { database, hasTwoFactor, port: hasVite ? VITE_PORT : port }
  const authModule = `./${authPath.split(sep).join('/')}`
  const inBrackets = DEMANDS_BRACKETS.test(compiler)
  function fileOf(path: string, lines: Lines): NewFile {
    const code = lines.map((line) => `${line}\n`).join('')
    return { path, text: inBrackets ? code.replaceAll(VARIABLE, "process.env['$1']") : code }
  }
  return [
    fileOf(authPath, isLater ? openingFile(text, opening) : authFile(text)),
    ...Object.entries(files?.(typeWriter(application)) ?? {}).map(([path, lines]) =>
      fileOf(join(root, path + extension), lines),
    ),
    // Not TypeScript: compilers of applications refuse to import a path that ends in .ts.
    fileOf(
      configNames.find((name) => existsSync(name)) ?? 'svc.config.mjs',
      commandFile(authModule, isLater ? 'openPanel' : 'auth, users'),
    ),
  ]
}

/** The compiler refuses `process.env.NAME` where an option demands brackets; linters prefer it. */
const VARIABLE = /process\.env\.(\w+)/g
const DEMANDS_BRACKETS = /"noPropertyAccessFromIndexSignature"\s*:\s*true/

function writeNew({ path, text }: NewFile, isDry: boolean): FileState {
  if (existsSync(path)) return 'kept'
  if (isDry) return 'would write'
  orNamed(path, () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { flag: 'wx' })
  })
  return 'written'
}

/** Names the file that cannot be written. */
function orNamed<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    const remedy = 'run this again when it can; files that are there are kept'
    throw new Error(`${path}: cannot be written; ${remedy}`, { cause: error })
  }
}

/** Packages that `totp` loads. */
const TWO_FACTOR_PACKAGES = ['otpauth', 'qrcode'] as const

/** Returns the packages that the written code needs and the application does not have. */
function missingOf(application: Application, { packages, types }: DatabaseText) {
  const { dependencies, language, hasTwoFactor } = application
  const missing = (names: readonly string[]) => names.filter((name) => !dependencies.has(name))
  const loader = loaderOf(application) ?? []
  return {
    runtime: missing([...packages, ...(hasTwoFactor ? TWO_FACTOR_PACKAGES : [])]),
    development: language === 'ts' ? missing(['@types/node', ...types].concat(loader)) : [],
  }
}

/**
 * Returns what runs TypeScript; `null`: Node does, but for CommonJS with its imports, and imports
 * whose ending a compiler replaces. Where tsx is installed, the application may have what Node does
 * not read, such as `paths` of tsconfig.json.
 */
function loaderOf(application: Application): 'tsx' | null {
  const { type, dependencies } = application
  const isRead = starterOf(application) !== undefined || moduleOf(application).endsWith('.ts')
  const isByNode = readsTypeScript() && type !== 'commonjs' && isRead
  return isByNode && !dependencies.has('tsx') ? null : 'tsx'
}

/** The written files, and the code that the user adds. */
interface Mounting {
  readonly application: Application
  readonly text: DatabaseText
  /** The file of the service. */
  readonly authPath: string
  readonly code: Lines
  readonly isDry: boolean
}

/** Returns the steps to take before the written files work. */
function obstaclesOf(application: Application, authPath: string): readonly string[] {
  const { dependencies, framework } = application
  const others = otherClientsOf(dependencies)
  return [
    ...(isWorkspaceRoot() && framework === 'node' ? [OF_WORKSPACE] : []),
    ...(existsSync(authPath) && lacks(authPath, 'createPanelAuth')
      ? [`${authPath} was kept and does not create the service: rename it, and run this again.`]
      : []),
    ...(others.length === 0
      ? []
      : [
          `${relative('.', authPath)} opens a database itself; for ${others.join(' and ')}: ${pathOfPage('users')}`,
        ]),
    ...(dependencies.has('payload')
      ? [`Move the pages of Payload away from /admin: ${pathOfPage('frameworks/payload')}`]
      : []),
  ]
}

/** Returns whether a file does not call a function. */
function lacks(path: string, call: string): boolean {
  return !textOf(path).includes(`${call}(`)
}

function stepsOf({ application, text, authPath, code, isDry }: Mounting): readonly string[] {
  const { database, hasTwoFactor, hasVite } = application
  const missing = missingOf(application, text)
  const manager = packageManager()
  return [
    ...obstaclesOf(application, authPath),
    ...installing('Install the packages', manager.add, missing.runtime),
    ...installing('Install for TypeScript', manager.addForDevelopment, missing.development),
    ...compilerAdvice(application),
    ...(database === 'sqlite' || hasVariable('.env', 'DATABASE_URL')
      ? []
      : [`Add the address of the database to .env:  DATABASE_URL=${urls[database]}`]),
    `Write the names of your users table and its columns in ${relative('.', authPath)}; one to start with: ${pathOfPage('tutorial')}`,
    ...(hasTwoFactor && !isDry && lacks(authPath, 'totp')
      ? [`Bind the second factor in ${authPath}, which was kept: ${pathOfPage('two-factor')}`]
      : []),
    ...(code.length === 0 ? [] : [`Add to your code:\n\n${indented(code)}\n`]),
    `Create the first administrator:  ${manager.run} svc --env-file .env user create --email you@example.com --name "Your Name"`,
    ...(isIgnored('.env') ? [] : ['Add .env to .gitignore: it holds the key.']),
    ...(isReadByOthers('.env')
      ? ['Other users of this machine can read .env, which holds the key:  chmod 600 .env']
      : []),
    `Start your server with the variables of .env, as by ${startOf(application, manager)}, and log in at ${hasVite ? viteLogin : '/admin/main'}.`,
    `Read on: ${pagesFor(application).map(pathOfPage).join(', ')}`,
  ]
}

/** Returns what starts the server in place of Node; `undefined`: Node does. */
function starterOf({ framework, dependencies }: Application): Framework['start'] {
  const { start, forNode = '' }: Framework = frameworks[framework]
  return dependencies.has(forNode) ? undefined : start
}

/** Returns the command that starts the server with the variables of .env. */
function startOf(application: Application, { run, node }: PackageManager): string {
  const { language, startScript } = application
  const start = starterOf(application)
  if (start !== undefined) return start(run)
  // It reads .env itself.
  if (startScript.startsWith('fastify start ')) return `${run} ${startScript}`
  const written = language === 'js' ? /^node ([^-]\S*)$/ : /^(?:node|tsx) ([^-]\S*\.ts)$/
  const [, file = `server.${language}`] = written.exec(startScript) ?? []
  const program = language === 'js' || loaderOf(application) === null ? node : `${run} tsx`
  return `${program} --env-file=.env ${file}`
}

const OF_WORKSPACE =
  'This is the root of a workspace. If a package of it has your server, remove the files that were written, and run this there.'

function installing(
  purpose: string,
  commandFor: (names: readonly string[]) => string,
  names: readonly string[],
): readonly string[] {
  return names.length === 0 ? [] : [`${purpose}:  ${commandFor(names)}`]
}

function indented(code: Lines): string {
  return code.map((line) => (line === '' ? '' : `     ${line}`)).join('\n')
}
