import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { describe, it } from 'vitest'
import { application, expectAdministrator, prepare, write } from '../cli/prepared-application.ts'

const SLOW = { timeout: 60_000 }

/** The lines that `svc init` has not written itself, around those that it prints. */
const servers = {
  hono: {
    file: 'server.js',
    packages: ['hono', '@hono/node-server'],
    before: [
      "import { serve } from '@hono/node-server'",
      "import { Hono } from 'hono'",
      'const app = new Hono()',
    ],
    after: ['serve({ fetch: app.fetch, port: PORT }, READY)'],
  },
  '@nestjs/core': {
    file: 'src/server.js',
    packages: ['@nestjs/core', '@nestjs/common', '@nestjs/platform-express', 'reflect-metadata'],
    before: [
      "import 'reflect-metadata'",
      "import { Module } from '@nestjs/common'",
      "import { NestFactory } from '@nestjs/core'",
      'class AppModule {}',
      'Module({})(AppModule)',
      'const app = await NestFactory.create(AppModule, { logger: false })',
    ],
    after: ['await app.listen(PORT, READY)'],
  },
} as const

/**
 * Hosts that call the handlers of the written files as these frameworks do, which are no dependencies of this
 * project: with the `Request` alone, and with an event of SvelteKit.
 */
const handlers = {
  next: {
    built: ['app/svc/api/[...path]/route.js', 'app/admin/[[...path]]/route.js'],
    serve: [
      "import * as api from './built/0.js'",
      "import * as pages from './built/1.js'",
      'const answer = (request) => {',
      "  const isApi = new URL(request.url).pathname.startsWith('/svc/api/')",
      '  return (isApi ? api : pages)[request.method](request)',
      '}',
    ],
  },
  '@react-router/dev': {
    built: ['app/routes/panel.js'],
    serve: [
      "import { action, loader } from './built/0.js'",
      "const answer = (request) => (request.method === 'GET' ? loader : action)({ request })",
    ],
  },
  '@sveltejs/kit': {
    built: ['src/hooks.server.js'],
    serve: [
      "import { handle } from './built/0.js'",
      'const resolve = () => new Response(null, { status: 404 })',
      "const getClientAddress = () => '127.0.0.1'",
      'const answer = (request) => {',
      '  const event = { request, url: new URL(request.url), getClientAddress }',
      '  return handle({ event, resolve })',
      '}',
    ],
  },
} as const

/** Bundles files as a framework would: they leave out the extensions of what they import. */
async function bundle(cwd: string, files: readonly string[]): Promise<void> {
  const input = Object.fromEntries(files.map((file, index) => [index, join(cwd, file)]))
  const external = [/^@svc\/auth/, 'better-sqlite3']
  // SvelteKit calls a single handle as it is.
  write(cwd, 'sequence.js', 'export const sequence = (handle) => handle')
  write(cwd, 'app-env.js', 'export const building = false')
  const alias = {
    '$app/env': join(cwd, 'app-env.js'),
    '@sveltejs/kit/hooks': join(cwd, 'sequence.js'),
  }
  const bundled = await rolldown({ input, external, platform: 'node', resolve: { alias } })
  await bundled.write({ dir: join(cwd, 'built') })
}

describe('an application that svc init has prepared', SLOW, () => {
  it.each(Object.entries(servers))(
    'logs its first administrator in with %s, and stops at SIGTERM',
    async (framework, { file, packages, before, after }) => {
      const cwd = application(framework)
      const { code } = await prepare(cwd, packages)
      write(cwd, file, [...before, ...code, ...after].join('\n'))
      await expectAdministrator(cwd, file)
    },
  )

  it.each(Object.entries(handlers))(
    'has handlers for %s that log its first administrator in, and stops at SIGTERM',
    async (framework, { built, serve }) => {
      const cwd = application(framework)
      const { code } = await prepare(cwd, ['@hono/node-server'])
      // SvelteKit has its hooks in a file that may exist, so the lines are printed.
      if (framework === '@sveltejs/kit') write(cwd, 'src/hooks.server.js', code.join('\n'))
      await bundle(cwd, built)
      const host = [
        "import { createServer } from 'node:http'",
        "import { getRequestListener } from '@hono/node-server'",
        ...serve,
        'createServer(getRequestListener(answer)).listen(PORT, READY)',
      ]
      write(cwd, 'server.js', host.join('\n'))
      await expectAdministrator(cwd, 'server.js')
    },
  )
})
