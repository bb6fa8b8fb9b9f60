import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Option, type Command, type OptionValues } from 'commander'
import { databaseNames, databaseOf, databaseText } from './databases.ts'
import type { DatabaseText, InitDatabase } from './databases.ts'
import { addKey, isIgnored, isReadByOthers, type FileState } from './environment-file.ts'
import { authFile, commandFile, openingFile } from './files.ts'
import { frameworkNames, frameworkOf, frameworks } from './frameworks.ts'
import type { Framework, FrameworkName, Lines } from './frameworks.ts'
import { addCommand, UsageError, type Outcome } from '../command/outcome.ts'
import { readsTypeScript } from '../command/typescript.ts'

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

/** The application in the current folder, and the wanted service. */
interface Application {
  readonly framework: FrameworkName
  readonly database: InitDatabase
  readonly hasTwoFactor: boolean
  readonly dependencies: ReadonlySet<string>
  readonly language: 'ts' | 'js'
  /** Folder of the framework's own folders. */
  readonly root: '.' | 'src'
  /** Extension of new files. */
  readonly extension: '.ts' | '.js' | '.mjs'
}

interface NewFile {
  readonly path: string
  readonly text: string
}

function init(options: OptionValues): Outcome {
  const application = readApplication(options)
  const { extension, database, root } = application
  const { page, folder, file = 'auth' }: Framework = frameworks[application.framework]
  const text = databaseText(database, application.dependencies)
  const authPath = join(root, folder, `${file}${extension}`)
  const code = codeFor(application, text)
  const isDry = options['dryRun'] === true
  const files = [
    ...filesOf(application, authPath, text).map((one) => ({
      path: one.path,
      state: writeNew(one, isDry),
    })),
    { path: '.env', state: addKey('.env', isDry) },
  ]
  const isUnbound = application.hasTwoFactor && !isDry && !isTotpBound(authPath)
  const missing = missingOf(application, text)
  const steps = stepsOf({ authPath, code, page, missing, isUnbound })
  return {
    lines: [
      ...files.map(({ path, state }) => `${state.padEnd(11)} ${path}`),
      '',
      ...steps.flatMap((step, index) => `${index + 1}. ${step}`.split('\n')),
    ],
    json: { framework: application.framework, database, files, code, steps },
  }
}

function codeFor(application: Application, { packages }: DatabaseText): Lines {
  const { code }: Framework = frameworks[application.framework]
  const external = packages.map((name) => `, '${name}'`).join('')
  return (code?.(typeWriter(application)) ?? []).map((line) =>
    line
      .replace('AUTH', moduleOf(application))
      .replace('DRIVER', external)
      .replace('EXTENSION', application.extension),
  )
}

/** Returns how the server imports the file of the service, which is beside it. */
function moduleOf({ extension }: Application): string {
  // TypeScript refuses its extension without an option that keeps or replaces it.
  const isKept =
    extension === '.ts' &&
    /"(?:allowImportingTs|rewriteRelativeImport)Extensions"\s*:\s*true/.test(
      readFileSync('tsconfig.json', 'utf8'),
    )
  return `./auth${extension === '.ts' && !isKept ? '.js' : extension}`
}

function typeWriter({ language }: Application): (type: string) => string {
  return (type) => (language === 'ts' ? `: ${type}` : '')
}

function readApplication(options: OptionValues): Application {
  if (!existsSync('package.json'))
    throw new UsageError(`${process.cwd()}: has no package.json; run this in your application`)
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<
    Record<string, Readonly<Record<string, string>> | string | undefined>
  >
  const dependencies = new Set(
    ['dependencies', 'devDependencies'].flatMap((key) => Object.keys(manifest[key] ?? {})),
  )
  const framework = (options['framework'] as FrameworkName | undefined) ?? frameworkOf(dependencies)
  const language = existsSync('tsconfig.json') ? 'ts' : 'js'
  // A framework that bundles decides by the extension which files are its own.
  const isModule = manifest['type'] === 'module' || frameworks[framework].folder !== '.'
  return {
    framework,
    database: (options['database'] as InitDatabase | undefined) ?? databaseOf(dependencies),
    hasTwoFactor: options['twoFactor'] === true,
    dependencies,
    language,
    root: framework === 'next' && existsSync('src/app') ? 'src' : '.',
    extension: language === 'ts' ? '.ts' : isModule ? '.js' : '.mjs',
  }
}

function filesOf(
  application: Application,
  authPath: string,
  database: DatabaseText,
): readonly NewFile[] {
  const { framework, root, extension, hasTwoFactor } = application
  const { files, isBundled = false }: Framework = frameworks[framework]
  const text = { database, hasTwoFactor }
  const authModule = `./${authPath.split(sep).join('/')}`
  return [
    fileOf(authPath, isBundled ? openingFile(text) : authFile(text)),
    ...Object.entries(files?.(typeWriter(application)) ?? {}).map(([path, lines]) =>
      fileOf(join(root, path + extension), lines),
    ),
    // Not TypeScript: compilers of applications refuse to import a path that ends in .ts.
    fileOf('svc.config.mjs', commandFile(authModule, isBundled ? 'openPanel' : 'auth, users')),
  ]
}

function fileOf(path: string, lines: Lines): NewFile {
  return { path, text: `${lines.join('\n')}\n` }
}

function writeNew({ path, text }: NewFile, isDry: boolean): FileState {
  if (existsSync(path)) return 'kept'
  if (isDry) return 'would write'
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: 'wx' })
  return 'written'
}

/** Packages that the written code needs and the application does not have. */
interface Missing {
  readonly runtime: readonly string[]
  readonly development: readonly string[]
}

/** Packages that `totp` loads. */
const TWO_FACTOR_PACKAGES = ['otpauth', 'qrcode'] as const

function missingOf(
  { dependencies, language, hasTwoFactor }: Application,
  { packages, types }: DatabaseText,
): Missing {
  const missing = (names: readonly string[]) => names.filter((name) => !dependencies.has(name))
  const loader = readsTypeScript() ? [] : ['tsx']
  return {
    runtime: missing([...packages, ...(hasTwoFactor ? TWO_FACTOR_PACKAGES : [])]),
    development: language === 'ts' ? missing([...types, ...loader]) : [],
  }
}

interface Mounting {
  readonly authPath: string
  readonly code: Lines
  readonly page: string
  readonly missing: Missing
  /** The wanted second factor is missing in a file that existed. */
  readonly isUnbound: boolean
}

function isTotpBound(authPath: string): boolean {
  return readFileSync(authPath, 'utf8').includes('totp(')
}

function stepsOf({ authPath, code, page, missing, isUnbound }: Mounting): readonly string[] {
  return [
    ...installing('Install the packages:  npm install', missing.runtime),
    ...installing('Install for TypeScript:  npm install --save-dev', missing.development),
    `Write the names of your users table and its columns in ${relative('.', authPath)}.`,
    ...(isUnbound
      ? [`Bind the second factor in ${authPath}, which was kept: ${pathOfPage('two-factor')}`]
      : []),
    ...(code.length === 0 ? [] : [`Add to your code:\n\n${indented(code)}\n`]),
    'Create the first administrator:  npx svc --env-file .env user create --email you@example.com --name "Your Name"',
    ...(isIgnored('.env') ? [] : ['Add .env to .gitignore: it holds the key.']),
    ...(isReadByOthers('.env')
      ? ['Other users of this machine can read .env, which holds the key:  chmod 600 .env']
      : []),
    'Start your server with the variables of .env, and log in at /admin/main.',
    `Read on: ${pathOfPage(`frameworks/${page}`)}`,
  ]
}

function installing(command: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${command} ${names.join(' ')}`]
}

/** Returns where the package that runs has a page. */
function pathOfPage(page: string): string {
  const file = `docs/${page}.md`
  const installed = join('node_modules/@svc/auth', file)
  // The command is dist/server/svc.js.
  return existsSync(installed)
    ? installed
    : join(dirname(fileURLToPath(import.meta.url)), '../..', file)
}

function indented(code: Lines): string {
  return code.map((line) => (line === '' ? '' : `     ${line}`)).join('\n')
}
