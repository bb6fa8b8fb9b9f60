// What the package exports: the one list from which the bundles follow, and against which `exports` of package.json
// and `paths` of tsconfig.base.json are tested.
import { existsSync, readdirSync } from 'node:fs'

/** The sources of the entries for servers, by their names. */
export const serverEntries = {
  index: 'src/index.ts',
  ...storeEntries(),
  users: 'src/users/providers.ts',
  hashes: 'src/users/hashes/hashes.ts',
  totp: 'src/totp/authenticator-app.ts',
  telemetry: 'src/adapters/telemetry/open-telemetry.ts',
  prometheus: 'src/adapters/telemetry/prometheus.ts',
  node: 'src/adapters/node.ts',
  express: 'src/adapters/express.ts',
  fastify: 'src/adapters/fastify.ts',
  hono: 'src/adapters/hono.ts',
  nestjs: 'src/adapters/nestjs.ts',
  fetch: 'src/adapters/fetch.ts',
  testing: 'src/testing/testing.ts',
}

/** Those of the entries for browsers. */
export const webEntries = {
  client: 'web/client/client.ts',
  react: 'web/react/react.ts',
  'react-admin': 'web/frameworks/react-admin/react-admin.ts',
  refine: 'web/frameworks/refine/refine.ts',
  vue: 'web/vue/vue.ts',
}

/** The entry that Vite builds, with its style sheet, into one file that a page can copy. */
export const copiedEntries = { mount: 'web/spa/mount.ts' }

/** @type {Readonly<Record<string, string>>} */
export const entrySources = { ...serverEntries, ...webEntries, ...copiedEntries }

/**
 * Returns the name by which a host imports an entry.
 *
 * @param {string} entry
 */
export const importNameOf = (entry) => (entry === 'index' ? '@svc/auth' : `@svc/auth/${entry}`)

/**
 * Returns the name of the files of an entry in `dist`, without their endings.
 *
 * @param {string} entry
 */
export const builtNameOf = (entry) => `${entry in serverEntries ? 'server' : 'web'}/${entry}`

/** Returns the stores: an entry is a folder with a file `stores.ts`. */
function storeEntries() {
  const root = new URL('../', import.meta.url)
  const stores = readdirSync(new URL('src/stores', root)).map((name) => [
    name,
    `src/stores/${name}/stores.ts`,
  ])
  return Object.fromEntries(stores.filter(([, source]) => existsSync(new URL(source, root))))
}
