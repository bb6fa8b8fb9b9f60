import { existsSync, readFileSync } from 'node:fs'
import type { OptionValues } from 'commander'
import { reasonOfError } from '../../contracts/errors.ts'
import { compilerOptions } from './compiler-options.ts'
import { databaseOf, type InitDatabase } from './databases.ts'
import { frameworkOf, frameworks, type Framework, type FrameworkName } from './frameworks.ts'
import { UsageError } from '../command/result.ts'
import { textOf } from '../command/variables.ts'
import { hasViteFrontEnd } from './vite.ts'
import { filesAround } from './workspace.ts'

/** The application in the current folder, and the wanted service. */
export interface Application {
  readonly framework: FrameworkName
  readonly database: InitDatabase
  readonly hasTwoFactor: boolean
  readonly dependencies: ReadonlySet<string>
  /** The script `start` of `package.json`; empty: it has none. */
  readonly startScript: string
  readonly language: 'ts' | 'js'
  /** The kind of files whose extension does not say it, by `package.json`. */
  readonly type: 'module' | 'commonjs' | 'not given'
  /** `true` if the server's files are CommonJS when they run. */
  readonly isCommonJs: boolean
  /** Folder of the framework's own folders, or of the server's files. */
  readonly root: string
  /** Extension of new files. */
  readonly extension: '.ts' | '.js' | '.mjs'
  /** The settings of tsconfig.json, as `compilerOptions` reads them. */
  readonly compiler: string
  /** `true` if Vite serves a front end of the application, beside its server. */
  readonly hasVite: boolean
}

/**
 * Reads the application in the current folder.
 *
 * @throws {UsageError} It has no `package.json`, or one that cannot be read.
 */
export function readApplication(options: OptionValues): Application {
  const manifest = readManifest()
  const dependencies = new Set(
    [manifest.dependencies, manifest.devDependencies].flatMap((names) => Object.keys(names ?? {})),
  )
  const framework = (options['framework'] as FrameworkName | undefined) ?? frameworkOf(dependencies)
  const language = existsSync('tsconfig.json') || dependencies.has('tsx') ? 'ts' : 'js'
  const { isBundled = false }: Framework = frameworks[framework]
  const type = manifest.type === 'module' || manifest.type === 'commonjs' ? manifest.type : null
  // A framework that bundles decides by the extension which files are its own.
  const isCommonJs = type !== 'module' && !isBundled
  const compiler = compilerOptions()
  const scripts = scriptsOf(manifest)
  return {
    framework,
    database: (options['database'] as InitDatabase | undefined) ?? databaseOf(dependencies),
    hasTwoFactor: options['twoFactor'] === true,
    dependencies,
    startScript: scripts.start,
    language,
    type: type ?? 'not given',
    isCommonJs,
    root: rootOf(framework, compiler),
    extension: language === 'ts' ? '.ts' : isCommonJs ? '.mjs' : '.js',
    compiler,
    hasVite: !isBundled && hasViteFrontEnd(dependencies, scripts.dev),
  }
}

interface Manifest {
  readonly type?: unknown
  readonly scripts?: unknown
  readonly dependencies?: object
  readonly devDependencies?: object
}

/** Returns the commands by which the application is started. */
function scriptsOf({ scripts }: Manifest): { readonly start: string; readonly dev: string } {
  const { start, dev } = Object(scripts) as Readonly<Record<string, unknown>>
  const textOf = (command: unknown): string => (typeof command === 'string' ? command : '')
  return { start: textOf(start), dev: textOf(dev) }
}

function readManifest(): Manifest {
  if (!existsSync('package.json'))
    throw new UsageError(
      `${process.cwd()}: has no package.json; run this in your application, or begin one by \`npm init -y\``,
    )
  try {
    // npm accepts a byte order mark, too.
    const text = readFileSync('package.json', 'utf8').replace(/^\uFEFF/, '')
    return Object(JSON.parse(text)) as Manifest
  } catch (error) {
    throw new UsageError(`package.json: cannot be read; correct it: ${reasonOfError(error)}`)
  }
}

/** Returns a function that writes the annotation of a type, which JavaScript has not. */
export function typeWriter({ language }: Application): (type: string) => string {
  return (type) => (language === 'ts' ? `: ${type}` : '')
}

/** Returns how the server imports the file of the service, which is beside it. */
export function moduleOf({ extension, compiler, isCommonJs }: Application): string {
  // TypeScript refuses its extension without an option that keeps or replaces it; `tsx` does not.
  const isKept =
    !existsSync('tsconfig.json') ||
    /"(?:allowImportingTs|rewriteRelativeImport)Extensions"\s*:\s*true/.test(compiler)
  if (extension !== '.ts' || isKept) return `./auth${extension}`
  // ts-node, swc and Jest run CommonJS from its sources, where no file ends in .js.
  return isCommonJs ? './auth' : './auth.js'
}

/** Returns what to change where the compiler refuses the imports or exports of the new files. */
export function compilerAdvice({ isCommonJs, language, compiler }: Application): readonly string[] {
  if (language === 'js') return []
  const isOld = OLD_COMPILER.test(
    textOf(filesAround('node_modules/typescript/package.json')[0] ?? ''),
  )
  return COMPILER_ADVICE.filter(
    ({ setting, isOfCommonJs = false, isOfModules = false, isOfOld = false }) =>
      !(isCommonJs ? isOfModules : isOfCommonJs) && (isOld || !isOfOld) && setting.test(compiler),
  ).map(({ advice }) => advice)
}

/** Finds a TypeScript before 5.8, which refuses `require` of ES modules. */
const OLD_COMPILER = /"version"\s*:\s*"(?:[1-4]|5\.[0-7])\./

interface CompilerAdvice {
  readonly setting: RegExp
  /** Default: the advice is for ES modules, too. */
  readonly isOfCommonJs?: boolean
  /** Default: the advice is for CommonJS, too. */
  readonly isOfModules?: boolean
  /** Default: the advice is for every TypeScript. */
  readonly isOfOld?: boolean
  readonly advice: string
}

const COMPILER_ADVICE: readonly CompilerAdvice[] = [
  {
    setting: /"verbatimModuleSyntax"\s*:\s*true/,
    isOfCommonJs: true,
    advice:
      'TypeScript refuses imports in CommonJS with verbatimModuleSyntax: leave it out of tsconfig.json; or write ' +
      '"type": "module" into package.json, remove the files that were written, and run this again.',
  },
  {
    setting: /"module"\s*:\s*"node1[68]"/i,
    isOfCommonJs: true,
    advice:
      'TypeScript refuses ES modules in CommonJS with "module": "node16" and "node18": write "nodenext" into ' +
      'tsconfig.json, with TypeScript 5.8 or newer.',
  },
  {
    setting: /"module"\s*:\s*"nodenext"/i,
    isOfCommonJs: true,
    isOfOld: true,
    advice:
      'TypeScript before 5.8 refuses ES modules in CommonJS (TS1479):  npm install --save-dev typescript@5.8',
  },
  {
    setting: /"module"\s*:\s*"commonjs"/i,
    isOfModules: true,
    advice:
      'With "module": "commonjs", TypeScript writes no ES modules and refuses `await` at their top level (TS1378): ' +
      'write "nodenext" and "target": "es2022" into tsconfig.json.',
  },
  {
    // The newest `tsc --init` writes it.
    setting: /"types"\s*:\s*\[\s*\]/,
    advice:
      'With "types": [], TypeScript finds no types of Node (TS2591): write "types": ["node"] into tsconfig.json.',
  },
  {
    setting: /"isolatedDeclarations"\s*:\s*true/,
    advice:
      'With isolatedDeclarations, exports need types: add those that your editor shows to the file of the service.',
  },
]

function rootOf(name: FrameworkName, compiler: string): string {
  if (name === 'next') {
    // It wants both folders of routes in one place, and looks for them in this order.
    const routes = ['app', 'pages', 'src/app', 'src/pages'].find((path) => existsSync(path))
    return routes?.startsWith('src') ? 'src' : '.'
  }
  const { folder }: Framework = frameworks[name]
  // The other frameworks have folders of their own.
  return folder === undefined ? sourceFolder(compiler) : '.'
}

/**
 * Returns the folder of the server's sources. The compiler refuses a file that is not below
 * `rootDir`, and writes to other paths where one is beside the only folder of `include`.
 */
function sourceFolder(compiler: string): string {
  const [, root = null] = ROOT.exec(compiler) ?? []
  const isChecked = /"noEmit"\s*:\s*true/.test(compiler)
  const [, included = null] = isChecked ? [] : (ONLY.exec(compiler) ?? [])
  return root ?? included ?? '.'
}

const ROOT = /"rootDir"\s*:\s*"(?:\$\{configDir\}\/|\.\/)?([\w-]+(?:\/[\w-]+)*)\/?"/
const ONLY = /"include"\s*:\s*\[\s*"(?:\.\/)?([\w-]+(?:\/[\w-]+)*)(?:\/|\/\*[^"]*)?"\s*,?\s*\]/
