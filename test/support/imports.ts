import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns what the imports and exports of a module name, types included. */
export function importedBy(code: string): readonly string[] {
  const statement =
    /^(?:import|export)\s[^;]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\)/gm
  return Array.from(code.matchAll(statement), ([, fixed, inline]) => fixed ?? inline ?? '')
}

/**
 * Returns the code of the files that entries import, directly or not, by relative addresses.
 *
 * @param fileOf turns the address of an import into that of the file.
 */
export function reachedFrom(
  entries: readonly string[],
  fileOf = (address: string): string => address,
): ReadonlyMap<string, string> {
  const reached = new Map<string, string>()
  const visit = (file: string): void => {
    if (reached.has(file) || !existsSync(file)) return
    const code = readFileSync(file, 'utf8')
    reached.set(file, code)
    for (const to of importedBy(code).filter((name) => name.startsWith('.'))) {
      visit(fileOf(join(dirname(file), to)))
    }
  }
  for (const entry of entries) visit(entry)
  return reached
}

/** Returns the code of the modules that were built into a folder. */
export function builtCode(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  return names.map((name) => readFileSync(join(folder, name), 'utf8'))
}
