import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandConfig, CommandConfigFile } from '../../contracts/command-config.ts'
import { locatedError } from './error-location.ts'
import { UsageError } from './outcome.ts'
import { readsTypeScript, registerTsx } from './typescript.ts'

const NAMES = ['svc.config.ts', 'svc.config.js', 'svc.config.mjs'] as const

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
    if (existsSync(path)) return path
    throw new UsageError(`--config: ${path} does not exist`)
  }
  const found = NAMES.map((name) => resolve(name)).find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new UsageError(
    `${NAMES.join(', ')}: none of them is in ${process.cwd()}; create svc.config.ts with ` +
      '`export default defineConfig({ auth })` (see docs/cli.md), or name another file with --config',
  )
}

async function load(path: string): Promise<CommandConfigFile<unknown>> {
  // Before the import: Node keeps a module that it could not read.
  if (!readsTypeScript()) await registerTsx()
  // A bundler must not resolve the path, which only the user's folder knows.
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(path).href).catch(
    (error: unknown) => {
      if (isUnreadableTypeScript(error)) throw new Error(withoutTypeScript(path))
      throw locatedError(error, path)
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

function withoutTypeScript(path: string): string {
  return (
    `${path}: it is or imports TypeScript, which Node ${process.versions.node} cannot read; install tsx ` +
    '(npm install --save-dev tsx), or use Node 22.18 or newer'
  )
}
