import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const preact = {
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom/test-utils': 'preact/test-utils',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
}

/** What drives a browser, and loads the built panel into Node itself, as a host does. */
const pages = {
  environment: 'node',
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // After everything else: a browser that shares the machine with other tests times out.
  sequence: { groupOrder: 1 },
  server: { deps: { external: [/\/dist\/(src|panel)\//] } },
}

/** In the long lane: of a second browser, what is most likely to differ. */
const firefox: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    ...pages,
    name: 'firefox',
    include: ['test/firefox/**/*.test.ts'],
    sequence: { groupOrder: 2 },
  },
}

const components = {
  include: ['test/react/**/*.test.tsx'],
  environment: 'happy-dom',
  testTimeout: 15_000,
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    env: { NODE_ENV: 'test' },
    // Vitest leaves one core to itself, which of two is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/react/**', 'test/browser/**', 'test/firefox/**'],
          environment: 'node',
          globalSetup: ['test/support/postgres-server.ts', 'test/support/redis-setup.ts'],
          testTimeout: 15_000,
          // Node itself loads what was built, as it does for a host.
          server: { deps: { external: [/\/dist\/(src|panel)\//] } },
        },
      },
      { extends: true, test: { ...components, name: 'react' } },
      { extends: true, resolve: { alias: preact }, test: { ...components, name: 'preact' } },
      {
        extends: true,
        test: {
          ...pages,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/setup.ts'],
        },
      },
      ...(process.env['TEST_LONG'] === undefined ? [] : [firefox]),
    ],
  },
})
