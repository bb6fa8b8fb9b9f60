import { createRequire } from 'node:module'
import { basename, dirname, resolve } from 'node:path'
import { textOf } from '../command/variables.ts'

/** The parts of a tsconfig.json that `svc init` reads. */
interface CompilerConfig {
  readonly compilerOptions?: Readonly<Record<string, unknown>>
  readonly files?: unknown
  readonly include?: unknown
  readonly references?: readonly { readonly path: string }[]
  readonly extends?: string | readonly string[]
}

/** Comments, in which `tsc --init` names every option, and commas at the end of a list. */
const NOT_OF_JSON = /("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g

/**
 * Returns the settings of tsconfig.json with those that it extends, as JSON. One with nothing but
 * references, as Vite's, stands for the one of them that knows the types of Node.
 */
export function compilerOptions(): string {
  const config = readConfig(resolve('tsconfig.json'))
  const { include, compilerOptions: own } = referencesOf(config).find(isOfNode) ?? config
  return JSON.stringify({ include, compilerOptions: own })
}

/** Returns the configurations of this folder that one without files of its own refers to. */
function referencesOf({
  files,
  include,
  references = [],
}: CompilerConfig): readonly CompilerConfig[] {
  if (include !== undefined || !Array.isArray(files) || files.length > 0) return []
  const paths = references.map(({ path }) => resolve(path))
  return paths.filter((path) => path === resolve(basename(path))).map(readConfig)
}

function isOfNode({ compilerOptions: own }: CompilerConfig): boolean {
  return [own?.['types']].flat().includes('node')
}

/** Reads a file with those that it extends; nothing of a file that is missing or no JSON. */
function readConfig(file: string): CompilerConfig {
  // A comma may come before a comment.
  const text = textOf(file).replaceAll(NOT_OF_JSON, '$1').replaceAll(NOT_OF_JSON, '$1')
  try {
    const config = Object(JSON.parse(text)) as CompilerConfig
    const bases = [config.extends ?? []].flat().map((base) => readConfig(pathOf(base, file)))
    const inherited = bases.map(({ compilerOptions: options = {} }) => withoutPaths(options))
    return { ...config, compilerOptions: Object.assign({}, ...inherited, config.compilerOptions) }
  } catch {
    return {}
  }
}

/** Leaves out the paths of another folder. */
function withoutPaths(options: Readonly<Record<string, unknown>>) {
  const { rootDir, ...others } = options
  return String(rootDir).startsWith('${configDir}') ? options : others
}

function pathOf(base: string, file: string): string {
  if (/^[./]/.test(base))
    return resolve(dirname(file), base.endsWith('.json') ? base : `${base}.json`)
  const { resolve: find } = createRequire(file)
  try {
    return find(base)
  } catch {
    return find(`${base}/tsconfig.json`)
  }
}
