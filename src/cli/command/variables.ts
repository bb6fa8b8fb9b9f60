import { readFileSync, statSync } from 'node:fs'

/** Returns `true` if a file gives a variable a value. */
export function hasVariable(path: string, name: string): boolean {
  const value = lineOf(name).exec(textOf(path))?.[2] ?? ''
  return !/^\s*(?:""|'')?\s*(?:#.*)?$/.test(value)
}

/** Returns the expression for the line of a variable, and its value. */
export function lineOf(name: string): RegExp {
  return new RegExp(String.raw`^([ \t]*(?:export[ \t]+)?${name}[ \t]*=)(.*)$`, 'm')
}

/** Returns the text of a file; an empty text if the file does not exist. */
export function textOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : ''
}

/** Returns why Node reads no variable of a file, or not the first; `null` if it does. */
export function encodingFault(path: string): string | null {
  // PowerShell writes UTF-16, and a byte order mark becomes a part of the first name.
  return /\0|^\uFEFF[^#\s]/.test(textOf(path))
    ? `${path}: is not read, as it is UTF-16 or begins with a byte order mark; save it as UTF-8 without one`
    : null
}
