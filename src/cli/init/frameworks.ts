import { VITE_PORT } from './vite.ts'

/** Name of a framework that `svc init` knows. */
export type FrameworkName = keyof typeof frameworks

/** Returns the annotation of a type; nothing in JavaScript. */
type TypeWriter = (type: string) => string

/** Lines of a file. */
export type Lines = readonly string[]

/** Mount of the service in one framework. */
export interface Framework {
  /**
   * The package whose presence tells the framework; `null`: no package does. Default: that of the
   * framework's name.
   */
  readonly package?: string | null
  /** Folder of the file that creates the service. Default: that of the server's sources. */
  readonly folder?: string
  /** Name of that file. Default: auth. */
  readonly file?: string
  /**
   * `true` if the framework imports the server's files during a build, and again when they change.
   * Default: `false`.
   */
  readonly isBundled?: boolean
  /** Returns the files that mount the service, by their paths without the extension. */
  readonly files?: (as: TypeWriter) => Readonly<Record<string, Lines>>
  /**
   * Code to add. `AUTH` is the module of the service, `EXTENSION` is that of the new files,
   * `DRIVER` is what the database adds to a list of packages, and `APP_ENV` is a module of
   * SvelteKit. Default: none.
   */
  readonly code?: Lines
  /**
   * Returns the command that starts it with the variables of .env; `run` runs a program of a
   * package. Default: `node` or `tsx`, with the file.
   */
  readonly start?: (run: string) => string
  /** The package with which Node starts it, in place of `start`. Default: none. */
  readonly forNode?: string
  /** Port of its server during development. Default: 3000. */
  readonly port?: number
  /** Page of the documentation. Default: the framework's name. */
  readonly page?: string
}

const webHandler = (depth: string, as: TypeWriter): Lines => [
  "import { mount } from '@svc/auth/fetch'",
  `import { openPanel } from '${depth}lib/auth'`,
  '',
  `async function serve(request${as('Request')}) {`,
  '  const { auth } = await openPanel()',
  "  // Route handlers do not see the socket: name the proxy's header in `address_header`.",
  '  return mount(auth)(request, { address: null })',
  '}',
  '',
]

/** Mount in Nitro 2, on which Nuxt runs. */
const nitro2 = {
  folder: 'server/utils',
  isBundled: true,
  files: () => ({
    'server/middleware/panel': [
      "import { mount } from '@svc/auth/node'",
      "import { openPanel } from '../utils/auth'",
      '',
      'export default defineEventHandler(async (event) => {',
      '  if (import.meta.prerender) return // pages that the build renders need no service',
      '  const { auth } = await openPanel()',
      '  return fromNodeMiddleware(mount(auth))(event)',
      '})',
    ],
  }),
} as const satisfies Framework

/** The frameworks, those that contain another one first. */
export const frameworks = {
  next: {
    folder: 'lib',
    isBundled: true,
    files: (as) => ({
      'app/svc/api/[...path]/route': [
        ...webHandler('../../../../', as),
        'export { serve as DELETE, serve as GET, serve as OPTIONS, serve as POST, serve as PUT }',
      ],
      'app/admin/[[...path]]/route': [...webHandler('../../../', as), 'export { serve as GET }'],
    }),
    code: [
      '// next.config: not bundled, because the service starts a process and reads its own files',
      "serverExternalPackages: ['@svc/auth'DRIVER],",
    ],
    start: (run) => `${run} next dev`,
    page: 'nextjs',
  },
  nuxt: { ...nitro2, start: (run) => `${run} nuxt dev` },
  nitropack: { ...nitro2, start: (run) => `${run} nitropack dev`, page: 'nuxt' },
  nitro: {
    folder: 'server/utils',
    isBundled: true,
    code: [
      '// nitro.config: not bundled, because the service starts a process and reads its own files',
      "traceDeps: ['@svc/auth'DRIVER],",
      '',
      '// server/middleware/panelEXTENSION; nitro.config names the folder server',
      "import { mount } from '@svc/auth/fetch'",
      "import { defineHandler, getRequestIP } from 'nitro/h3'",
      "import { openPanel } from '../utils/auth'",
      '',
      'export default defineHandler(async (event) => {',
      '  const { auth } = await openPanel()',
      '  const info = { address: getRequestIP(event) ?? null }',
      '  return mount(auth)(event.req, info, () => undefined) // the next route answers others',
      '})',
    ],
    start: (run) => `${run} nitro dev`,
    page: 'nuxt',
  },
  sveltekit: {
    package: '@sveltejs/kit',
    folder: 'src/lib/server',
    isBundled: true,
    // SvelteKit 2 and 3 have the type `Handle` in different modules, and `sequence` in one.
    code: [
      '// hooks.server',
      "import { mount } from '@svc/auth/fetch'",
      "import { sequence } from '@sveltejs/kit/hooks'",
      "import { building } from 'APP_ENV'",
      "import { openPanel } from './lib/server/auth'",
      '',
      'export const handle = sequence(async ({ event, resolve }) => {',
      '  if (building) return resolve(event) // pages that the build renders have no client',
      '  const { auth } = await openPanel()',
      '  const info = { address: event.getClientAddress() }',
      '  return mount(auth)(event.request, info, () => resolve(event))',
      '}) // a handle of your own is a second argument',
    ],
    start: () => 'node --env-file=.env node_modules/vite/bin/vite.js dev',
    port: VITE_PORT,
  },
  'react-router': {
    package: '@react-router/dev',
    folder: 'app',
    file: 'auth.server',
    isBundled: true,
    files: (as) => ({
      'app/routes/panel': [
        "import { mount } from '@svc/auth/fetch'",
        "import { openPanel } from '../auth.server'",
        '',
        `async function answer({ request }${as('{ readonly request: Request }')}) {`,
        '  const { auth } = await openPanel()',
        "  // Routes do not see the socket: name the proxy's header in `address_header`.",
        '  return mount(auth)(request, { address: null })',
        '}',
        '',
        'export { answer as action, answer as loader }',
      ],
    }),
    code: [
      '// app/routesEXTENSION',
      "import { route } from '@react-router/dev/routes'",
      '',
      "route('svc/api/*', 'routes/panelEXTENSION', { id: 'panel-api' }),",
      "route('admin/*', 'routes/panelEXTENSION', { id: 'panel-pages' }),",
    ],
    start: (run) => `${run} react-router dev`,
    port: VITE_PORT,
  },
  nestjs: {
    package: '@nestjs/core',
    folder: 'src',
    code: [
      "import { mount } from '@svc/auth/nestjs'",
      "import { auth } from 'AUTH'",
      '',
      'app.use(mount(auth)) // before listen()',
    ],
    start: (run) => `${run} nest start --watch --env-file .env`,
  },
  fastify: {
    code: [
      "import { guard, mount } from '@svc/auth/fastify'",
      "import { auth } from 'AUTH'",
      '',
      'await app.register(mount(auth)) // without a prefix',
      "app.get('/api/status', { onRequest: guard(auth) }, () => ({ isIn: true }))",
    ],
  },
  elysia: {
    code: [
      "import { mount } from '@svc/auth/fetch'",
      "import { auth } from 'AUTH'",
      '',
      'const serve = mount(auth)',
      'app.onRequest(async ({ request, server }) => {',
      '  // That of Bun, or that of Node.',
      '  const address = server?.requestIP(request)?.address ?? Object(request).ip ?? null',
      '  return serve(request, { address }, () => undefined) // the next route answers others',
      '})',
    ],
    start: () => 'bun --env-file=.env server.ts',
    forNode: '@elysiajs/node',
  },
  hono: {
    code: [
      "import { getConnInfo } from '@hono/node-server/conninfo' // or 'hono/bun'",
      "import { guard, mount } from '@svc/auth/hono'",
      "import { auth } from 'AUTH'",
      '',
      'app.use(mount(auth, getConnInfo))',
      "app.use('/api/*', guard(auth, getConnInfo))",
    ],
  },
  koa: {
    code: [
      "import { createServer } from 'node:http'",
      "import { mount } from '@svc/auth/node'",
      "import { auth } from 'AUTH'",
      '',
      'const panel = mount(auth)',
      'const others = app.callback()',
      'createServer((request, response) =>',
      '  panel(request, response, () => others(request, response)),',
      ').listen(3000) // in place of app.listen(3000)',
    ],
    page: 'node',
  },
  h3: {
    code: [
      "import { mount } from '@svc/auth/fetch'",
      "import { getRequestIP } from 'h3'",
      "import { auth } from 'AUTH'",
      '',
      'const serve = mount(auth)',
      'app.use((event, next) =>',
      '  serve(event.req, { address: getRequestIP(event) ?? null }, next),',
      ')',
    ],
    page: 'nuxt',
  },
  express: {
    code: [
      "import { guard, mount } from '@svc/auth/express'",
      "import { auth } from 'AUTH'",
      '',
      'app.use(mount(auth)) // before any body parser',
      "app.use('/api', guard(auth))",
    ],
  },
  node: {
    package: null,
    code: [
      "import { createServer } from 'node:http'",
      "import { mount } from '@svc/auth/node'",
      "import { auth } from 'AUTH'",
      '',
      'createServer(mount(auth)).listen(3000)',
    ],
  },
} as const satisfies Readonly<Record<string, Framework>>

export const frameworkNames = Object.keys(frameworks) as readonly FrameworkName[]

/** Returns the framework that an application depends on. */
export function frameworkOf(dependencies: ReadonlySet<string>): FrameworkName {
  const isUsed = (name: FrameworkName): boolean => {
    const { package: needed = name }: Framework = frameworks[name]
    return needed !== null && dependencies.has(needed)
  }
  return frameworkNames.find(isUsed) ?? 'node'
}
