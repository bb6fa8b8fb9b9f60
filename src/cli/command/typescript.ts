import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns `true` if this Node reads TypeScript by itself: 22.18 and newer do. */
export function readsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: string | false }).typescript)
}

/**
 * Returns `true` if `package.json` of the current folder says that files are CommonJS. Node then
 * refuses the imports of TypeScript, which a compiler would replace.
 */
export function isCommonJs(): boolean {
  try {
    const { type } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly type?: unknown }
    return type === 'commonjs'
  } catch {
    return false
  }
}

/**
 * Lets this process read what Node does not, by tsx of the application in the current folder. Node
 * ignores tsconfig.json: it knows no `paths`, no imports without an extension, and no enums.
 *
 * @returns `true` if tsx is needed and was loaded.
 */
export async function registerTsx(): Promise<boolean> {
  if (readsTypeScript() && !isCommonJs() && !existsSync('tsconfig.json')) return false
  const { resolve } = createRequire(join(process.cwd(), 'package.json'))
  let loader: string
  try {
    loader = resolve('tsx')
  } catch {
    return false
  }
  // The same as `node --import tsx`. A bundler must not resolve the application's package.
  await import(/* @vite-ignore */ pathToFileURL(loader).href)
  return true
}
