import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const preact = {
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom/test-utils': 'preact/test-utils',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
}

const components = {
  include: ['test/react/**/*.test.tsx'],
  environment: 'happy-dom',
  testTimeout: 15_000,
}

/** What takes long, by project: `npm run test:long` runs it and nothing else, `npm test` everything but this. */
const LONG = {
  unit: [
    'test/deploy/**/*.test.ts',
    'test/faults/**/*.test.ts',
    'test/firefox/**/*.test.ts',
    'test/history/history.test.ts',
    'test/panel/servers.test.ts',
    'test/stores/{postgres-faults,redis-outage}.test.ts',
  ],
  browser: [
    'test/browser/{bell,code,host-pages,mount,needs,no-second-factor}.test.ts',
    'test/browser/{panel-pages,screens,security,verify-email}.test.ts',
  ],
}
const TIMING = 'test/long/timing.test.ts'
/** They do more when there is time. */
const IN_BOTH = ['test/http/protocol.test.ts', 'test/model/service.test.ts']
const isLong = process.env['TEST_LONG'] !== undefined

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
          include: isLong ? [...LONG.unit, ...IN_BOTH] : ['test/**/*.test.ts'],
          exclude: ['test/react/**', 'test/browser/**', TIMING, ...(isLong ? [] : LONG.unit)],
          environment: 'node',
          globalSetup: ['test/support/postgres-server.ts', 'test/support/redis-setup.ts'],
          testTimeout: 15_000,
          // Node itself loads what was built, as it does for a host.
          server: { deps: { external: [/\/dist\/(src|panel)\//] } },
        },
      },
      {
        extends: true,
        test: {
          name: 'timing',
          include: isLong ? [TIMING] : [],
          environment: 'node',
          // At last, and alone: it compares times.
          sequence: { groupOrder: 2 },
          server: { deps: { external: [/\/dist\/(src|panel)\//] } },
        },
      },
      { extends: true, test: { ...components, name: 'react' } },
      { extends: true, resolve: { alias: preact }, test: { ...components, name: 'preact' } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: isLong ? LONG.browser : ['test/browser/**/*.test.ts'],
          exclude: isLong ? [] : LONG.browser,
          environment: 'node',
          globalSetup: ['test/browser/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // After everything else: a browser that shares the machine with other tests times out.
          sequence: { groupOrder: 1 },
          server: { deps: { external: [/\/dist\/(src|panel)\//] } },
        },
      },
    ],
  },
})
