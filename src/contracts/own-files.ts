import { ConfigError } from './errors.ts'

/** The remedy where the package does not find its own files. */
export const OWN_FILES_REMEDY =
  'if a bundler has made it a part of your server, let it leave @svc/auth out; if a tool copied what it traced, as for Next.js standalone, let it copy the whole package; in a clone of the repository run `npm run build`'

/**
 * Checks that the package knows where it is.
 *
 * @param url The `import.meta.url` of a module. esbuild leaves none where it writes CommonJS.
 * @throws {ConfigError} `url` is undefined.
 */
export function ensureModuleUrl(url: string | undefined): void {
  if (url === undefined)
    throw new ConfigError(`@svc/auth does not find its own files; ${OWN_FILES_REMEDY}`)
}
