import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { Option, type Command, type OptionValues } from 'commander'
import { addCommand } from './command-options.ts'
import { authFile, commandFile, databaseNames, databaseOf, packagesOf } from './init-files.ts'
import type { InitDatabase } from './init-files.ts'
import { frameworkNames, frameworkOf, frameworks } from './init-frameworks.ts'
import type { Framework, FrameworkName, Lines } from './init-frameworks.ts'
import { newKey } from './key-commands.ts'
import { setAction, UsageError, type Outcome } from './outcome.ts'

const AFTER = `
Writes the file that creates the service, the mount where the framework reads it from a file of its
own, svc.config, and an APP_KEY into .env. Never changes a file that exists, except that it adds
APP_KEY to .env.`

/** Adds the command that prepares an application. */
export function addInit(program: Command): void {
  const command = addCommand(program, 'init', 'Writes what mounts the service in this application.')
    .addOption(new Option('--framework <name>', 'default: by package.json').choices(frameworkNames))
    .addOption(
      new Option(
        '--database <name>',
        'default: by the driver in package.json, else sqlite',
      ).choices(databaseNames),
    )
    .option('--dry-run', 'only print what would be written')
    .addHelpText('after', AFTER)
  setAction(command, init)
}

/** The application in the current folder, and the wanted service. */
interface Application {
  readonly framework: FrameworkName
  readonly database: InitDatabase
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

type FileState = 'written' | 'kept' | 'would write'

function init(options: OptionValues): Outcome {
  const application = readApplication(options)
  const { extension, database, root } = application
  const { code: written = [], page, folder }: Framework = frameworks[application.framework]
  const authPath = join(root, folder, `auth${extension}`)
  const [driver = ''] = packagesOf(database)
  const code = written.map((line) =>
    line.replace('AUTH', moduleOf(application)).replace('DRIVER', driver),
  )
  const isDry = options['dryRun'] === true
  const files = [
    ...filesOf(application, authPath).map((file) => ({
      path: file.path,
      state: writeNew(file, isDry),
    })),
    { path: '.env', state: addKey('.env', isDry) },
  ]
  const steps = stepsOf(application, { authPath, code, page })
  return {
    lines: [
      ...files.map(({ path, state }) => `${state.padEnd(11)} ${path}`),
      '',
      ...steps.flatMap((step, index) => `${index + 1}. ${step}`.split('\n')),
    ],
    json: { framework: application.framework, database, files, code, steps },
  }
}

/** Returns how the server imports the file of the service, which is beside it. */
function moduleOf({ framework, extension }: Application): string {
  // The compiler of NestJS writes JavaScript and leaves the names of imports as they are.
  return framework === 'nestjs' && extension === '.ts' ? './auth.js' : `./auth${extension}`
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
    dependencies,
    language,
    root: framework === 'next' && existsSync('src/app') ? 'src' : '.',
    extension: language === 'ts' ? '.ts' : isModule ? '.js' : '.mjs',
  }
}

function filesOf(application: Application, authPath: string): readonly NewFile[] {
  const { framework, database, language, root, extension } = application
  const { files }: Framework = frameworks[framework]
  const as = (type: string): string => (language === 'ts' ? `: ${type}` : '')
  return [
    fileOf(authPath, authFile(database, { language, isBundled: framework === 'next' })),
    ...Object.entries(files?.(as) ?? {}).map(([path, lines]) =>
      fileOf(join(root, path + extension), lines),
    ),
    // Not TypeScript: compilers of applications refuse to import a path that ends in .ts.
    fileOf('svc.config.mjs', commandFile(`./${authPath.split(sep).join('/')}`)),
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

/** Appends a new key, unless the file has one: another key would end every session. */
function addKey(path: string, isDry: boolean): FileState {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (/^\s*(?:export\s+)?APP_KEY\s*=/m.test(before)) return 'kept'
  if (isDry) return 'would write'
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  appendFileSync(path, `${gap}APP_KEY=${newKey()}\n`, { mode: 0o600 })
  return 'written'
}

interface Mounting extends Required<Pick<Framework, 'code' | 'page'>> {
  readonly authPath: string
}

function stepsOf(application: Application, { authPath, code, page }: Mounting): readonly string[] {
  const missing = packagesOf(application.database).filter(
    (name) => !application.dependencies.has(name),
  )
  const ignored = existsSync('.gitignore') ? readFileSync('.gitignore', 'utf8') : ''
  return [
    ...(missing.length === 0 ? [] : [`Install the driver:  npm install ${missing.join(' ')}`]),
    `Write the names of your users table and its columns in ${relative('.', authPath)}.`,
    ...(code.length === 0 ? [] : [`Add to your code:\n\n${indented(code)}\n`]),
    'Create the first administrator:  npx svc --env-file .env user create --email you@example.com --name "Your Name"',
    ...(/^\.env$/m.test(ignored) ? [] : ['Add .env to .gitignore: it holds the key.']),
    'Start your server with the variables of .env, and log in at /admin/main.',
    `Read on: docs/frameworks/${page}.md`,
  ]
}

function indented(code: readonly string[]): string {
  return code.map((line) => (line === '' ? '' : `     ${line}`)).join('\n')
}
