import { spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { unbuiltAdvice } from '../../contracts/optional-package.ts'

/**
 * Returns an error of loading a file with the place of the mistake: the file, which may be one that
 * the given one imports, and the line. Errors that the code threw on purpose stay as they are.
 */
export function locatedError(error: unknown, path: string): unknown {
  const unbuilt = unbuiltAdvice(error)
  if (unbuilt !== null) return new Error(unbuilt)
  if (!(error instanceof Error) || !MISTAKES.has(error.name)) return error
  const place = placeIn(error.stack ?? '') ?? (error.name === 'SyntaxError' ? placeOf(path) : null)
  const { name, message, cause } = error
  const advice = 'code' in error && error.code === 'ERR_INVALID_URL' ? ADVICE : ''
  return new Error(
    `${place ?? path}: ${name}: ${message}${advice}`,
    cause === undefined ? {} : { cause },
  )
}

const ADVICE = '; an address has a scheme, such as APP_URL=https://panel.example.com'
const MISTAKES: ReadonlySet<string> = new Set(['SyntaxError', 'ReferenceError', 'TypeError'])

/** The time in milliseconds that Node may take to parse the file again. */
const PARSE_MS = 10_000

/**
 * Finds a syntax error by a process of its own. Node names the place of an error in a module only
 * on standard error, when the error ends the process. No code runs before all files are parsed.
 */
function placeOf(path: string): string | null {
  const code = `import ${JSON.stringify(pathToFileURL(path).href)}`
  const { stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, '--input-type=module', '--eval', code],
    { encoding: 'utf8', timeout: PARSE_MS, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  return placeIn(stderr)
}

/** Returns the first place in the code of the host, as `/srv/svc.config.mjs:3`. */
function placeIn(stack: string): string | null {
  const places = Array.from(
    stack.matchAll(/(?:^|[\s(])((?:file:\/\/)?\/[^()\n]+?):(\d+)/gm),
    ([, file = '', line]) => `${file.startsWith('file:') ? fileURLToPath(file) : file}:${line}`,
  )
  return places.find((place) => !place.includes('node_modules')) ?? null
}
