import { ConfigError } from './errors.ts'

/** A package that the host installs where it uses what needs it. */
export interface OptionalPackage {
  readonly name: string
  /** The call of the host, for messages. */
  readonly neededBy: string
  /** The remedy where it is missing. Default: to install it. */
  readonly remedy?: string
}

/**
 * Loads an optional package.
 *
 * @throws {ConfigError} It is not installed.
 * @throws {Error} It is installed, and cannot be loaded; `cause` says why.
 */
export async function loadPackage<Loaded>(
  wanted: OptionalPackage & { readonly load: () => Promise<Loaded> },
): Promise<Loaded> {
  try {
    return await wanted.load()
  } catch (cause) {
    throw packageError(wanted, cause)
  }
}

/**
 * Returns the error of a package that could not be loaded. To install it helps only where it is
 * missing, and neither a process without a free descriptor nor a package that is broken.
 */
export function packageError(
  { name, neededBy, remedy = `run \`npm install ${name}\`` }: OptionalPackage,
  cause: unknown,
): Error {
  const message = `${neededBy} needs the package ${name}`
  if (isMissing(name, cause)) return new ConfigError(`${message}; ${remedy}`, { cause })
  const unbuilt = unbuiltAdvice(cause)
  if (unbuilt !== null) return new ConfigError(`${neededBy}: ${unbuilt}`, { cause })
  return new Error(`${message}, which is installed, but cannot be loaded`, { cause })
}

/** Returns whether an error says that there is no such package, and not one that it needs. */
function isMissing(name: string, error: unknown): boolean {
  // The error of Bun is not an instance of Error.
  const { code, message } = Object(error) as Readonly<Record<string, unknown>>
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return false
  // The second form is that of Yarn without node_modules.
  return new RegExp(`['"]${name}(?:/[^'"]*)?['"]|tried to access ${name}[ ,]`).test(String(message))
}

/**
 * Returns what to do about a package whose native part is missing; `null` for another error. pnpm
 * and Yarn build no package unasked, and npm none with `--ignore-scripts`.
 */
export function unbuiltAdvice(error: unknown): string | null {
  const [, name] = UNBUILT.exec(String(Object(error).message)) ?? []
  if (name === undefined) return null
  return `${name} is installed and was not built; run \`npm rebuild ${name}\`, with pnpm \`pnpm approve-builds\`, or with Yarn set \`dependenciesMeta.${name}.built\` in package.json and run \`yarn\``
}

/** The error of the package `bindings`, which lists paths in the package that asks for one. */
const UNBUILT =
  /^Could not locate the bindings file[^]*?[/\\]node_modules[/\\]([\w.-]+)[/\\]build[/\\]/
