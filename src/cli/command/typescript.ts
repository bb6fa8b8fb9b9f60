import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Returns `true` if this Node reads TypeScript by itself: 22.18 and newer do. */
export function readsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: string | false }).typescript)
}

/** Lets this process read TypeScript by tsx, if the application in the current folder has it. */
export async function registerTsx(): Promise<void> {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'))
  let loader: string
  try {
    loader = resolve('tsx')
  } catch {
    return
  }
  // The same as `node --import tsx`. A bundler must not resolve the application's package.
  await import(/* @vite-ignore */ pathToFileURL(loader).href)
}
