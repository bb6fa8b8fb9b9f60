import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandConfig, CommandConfigFile } from '../../contracts/command-config.ts'
import { locatedError } from './error-location.ts'
import { UsageError } from './result.ts'
import { isCommonJs, registerTsx } from './typescript.ts'

/** Names of the configuration, the first of which is read. */
export const configNames = ['svc.config.ts', 'svc.config.js', 'svc.config.mjs'] as const

/**
 * Opens the configuration for a command.
 *
 * @param file As given to `--config`; `null`: the one in the current folder.
 * @param command The name that the configuration receives.
 * @throws {UsageError} There is no such file.
 * @throws {Error} The file cannot be loaded, or exports something else.
 */
export async function openConfig(
  file: string | null,
  command: string,
): Promise<CommandConfig<unknown>> {
  const path = pathOf(file)
  const exported = await load(path)
  const config = typeof exported === 'function' ? await opened(exported, command, path) : exported
  if (typeof config !== 'object' || config === null)
    throw new Error(`${path}: returns no object; give defineConfig({ auth })`)
  return config
}

async function opened(
  open: Extract<CommandConfigFile<unknown>, (...args: never) => unknown>,
  command: string,
  path: string,
): Promise<CommandConfig<unknown>> {
  try {
    return await open({ command })
  } catch (error) {
    throw locatedError(error, path)
  }
}

function pathOf(file: string | null): string {
  if (file !== null) {
    const path = resolve(file)
    if (!existsSync(path)) throw new UsageError(`--config: ${path} does not exist`)
    if (statSync(path).isFile()) return path
    throw new UsageError(`--config: ${path} is not a file; name the file in it`)
  }
  const found = configNames.map((name) => resolve(name)).find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new UsageError(
    `${configNames.join(', ')}: none of them is in ${process.cwd()}; run this in your application, name another ` +
      'file with --config, or write one: by `npx svc init`, or create svc.config.ts with ' +
      '`export default defineConfig({ auth })` (see docs/cli.md)',
  )
}

async function load(path: string): Promise<CommandConfigFile<unknown>> {
  // Before the import: Node keeps a module that it could not read.
  const isLoaded = await registerTsx()
  // A bundler must not resolve the path, which only the user's folder knows.
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(path).href).catch(
    (error: unknown) => {
      if (isUnreadableTypeScript(error)) throw new Error(withoutTypeScript(path))
      const located = locatedError(error, path)
      throw isLoaded ? located : withAdvice(located)
    },
  )) as { readonly default?: CommandConfigFile<unknown> | null }
  const exported = loaded.default
  // `serviceOf` checks the members that a command needs.
  if (typeof exported === 'function' || (typeof exported === 'object' && exported !== null))
    return exported
  throw new Error(`${path}: has no default export; add \`export default defineConfig({ auth })\``)
}

/** Returns `true` if the configuration, or a file that it imports, is TypeScript. */
function isUnreadableTypeScript(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_UNKNOWN_FILE_EXTENSION' &&
    error.message.includes('".ts"')
  )
}

/** Adds the remedy for what Node reads in another way than the tools of the application. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const advice = adviceOn(error.message)
  return advice === null ? error : new Error(`${error.message}; ${advice}`)
}

function adviceOn(message: string): string | null {
  if (message.includes('SyntaxError') && isCommonJs()) return `${AS_COMMONJS}: ${INSTALL_TSX}`
  if (needsTsconfig(message)) return `${NO_TSCONFIG}: ${INSTALL_TSX}`
  return /Cannot find module '.+\.[cm]?ts'/.test(message) ? COMPILED : null
}

/** Returns whether TypeScript fails that tsx would read by the settings of tsconfig.json. */
function needsTsconfig(message: string): boolean {
  if (message.includes('strip-only mode')) return true
  if (!/ imported from .+\.[cm]?ts$/m.test(message) || !existsSync('tsconfig.json')) return false
  return message.includes('Cannot find module') || readFileSync('tsconfig.json').includes('"paths"')
}

const INSTALL_TSX = 'install tsx (npm install --save-dev tsx)'
const AS_COMMONJS =
  'package.json has "type": "commonjs", for which Node reads an ES module in .ts or .js as CommonJS'
const NO_TSCONFIG =
  'Node ignores tsconfig.json, and knows no `paths`, no imports without an extension, and no enums'
const COMPILED =
  'where only compiled files are, name a configuration that imports these, as by --config svc.dist.mjs (see docs/cli.md)'

function withoutTypeScript(path: string): string {
  return (
    `${path}: it is or imports TypeScript, which Node ${process.versions.node} cannot read; ` +
    `${INSTALL_TSX}, or use Node 22.18 or newer`
  )
}
