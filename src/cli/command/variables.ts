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
