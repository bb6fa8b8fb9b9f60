import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { temporaryFolder } from './scripts/temporary-folder.mjs'

// Everything that a run leaves behind, interrupted or not, goes with this folder. Every project reads this file.
process.env['TEST_FOLDER'] ??= temporaryFolder('test')
process.env['TMPDIR'] = process.env['TEST_FOLDER']

const preact = {
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom/test-utils': 'preact/test-utils',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
}

/** Node itself loads what was built, as it does for a host. */
const onTheBuild = {
  environment: 'node',
  server: { deps: { external: [/\/(?:build|dist)\//] } },
}

const unit = {
  ...onTheBuild,
  name: 'unit',
  globalSetup: [
    'test/support/programs.ts',
    'test/support/postgres-server.ts',
    'test/support/mariadb-server.ts',
    'test/support/redis-setup.ts',
  ],
  // Before any test starts a process for hashes, which the files of a worker share.
  setupFiles: ['test/support/shared-worker.ts'],
  isolate: false,
  testTimeout: 30_000,
}

const components = {
  isolate: false,
  include: ['test/react/**/*.test.tsx'],
  environment: 'happy-dom',
  testTimeout: 30_000,
}

// After everything else: a browser that shares the machine with other tests times out.
const browser = {
  ...onTheBuild,
  name: 'browser',
  globalSetup: ['test/support/programs.ts', 'test/browser/setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Playwright's own runner repeats, too: a browser may be late on a busy machine. The last lines of a run name what
  // passed only then. Nothing else is repeated, as one wrong answer of the service is a defect.
  retry: 1,
  sequence: { groupOrder: 1 },
}

/** What `npm run test:long` runs and `npm test` does not. */
const LONG = {
  unit: [
    'test/deploy/**/*.test.ts',
    'test/faults/**/*.test.ts',
    'test/history/history.test.ts',
    'test/long/{bun,init,package,prisma,typescript}.test.ts',
    'test/moving/**/*.test.ts',
    'test/panel/servers.test.ts',
    'test/stores/{busy-process,mysql-bus,mysql-faults,mysql-garbage,postgres-bus,postgres-faults,redis-outage,redis-silence}.test.ts',
    'test/readme/{ensure,first-host}.test.ts',
  ],
  browser: [
    'test/browser/{bell,code,header,host-pages,mount,needs,no-second-factor,playground}.test.ts',
    'test/browser/{panel-pages,parts,printing,release,screens,security,session,subdomain,verify-email}.test.ts',
  ],
  firefox: ['test/firefox/**/*.test.ts'],
  timing: ['test/long/timing.test.ts'],
}
/** In both lanes; they do more when there is time. */
const IN_BOTH = ['test/http/protocol.test.ts', 'test/model/service.test.ts']

/** In both lanes: the short one runs them on the other stores, and the long one on MySQL. */
const ON_MYSQL = [
  'test/http/{account-ceiling,bell,login-races,login-throttle-stores,passwords}.test.ts',
  'test/http/{recovery-codes-seen,second-factor-changes,second-factor-limits}.test.ts',
  'test/http/second-factor-turns.test.ts',
  'test/nodes/**/*.test.ts',
]

const short = [
  {
    ...unit,
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', ...LONG.unit, ...LONG.firefox, ...LONG.timing],
  },
  { ...components, name: 'react' },
  { ...browser, include: ['test/browser/**/*.test.ts'], exclude: LONG.browser },
]

const long = [
  { ...unit, include: [...LONG.unit, ...IN_BOTH] },
  {
    ...unit,
    name: 'mysql',
    env: { TEST_STORES: 'MySQL' },
    setupFiles: ['test/support/mysql-only.ts'],
    include: ON_MYSQL,
  },
  { ...browser, include: LONG.browser },
  {
    ...browser,
    name: 'firefox',
    globalSetup: ['test/support/programs.ts'],
    include: LONG.firefox,
    sequence: { groupOrder: 2 },
  },
  // At last, and alone: it compares times.
  { ...onTheBuild, name: 'timing', include: LONG.timing, sequence: { groupOrder: 3 } },
]

const isLong = process.env['TEST_LONG'] !== undefined

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    env: { NODE_ENV: 'test' },
    // A test that depends on the one before it fails. The run prints its seed: `-- --sequence.seed=…` repeats it. The
    // long lane follows guides from their first block to their last.
    sequence: { shuffle: { tests: !isLong } },
    // Tests wait for deadlines and servers half of their time. Those that compare times run alone.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    projects: isLong
      ? long.map((test) => ({ extends: true as const, test }))
      : [
          ...short.map((test) => ({ extends: true as const, test })),
          { extends: true, resolve: { alias: preact }, test: { ...components, name: 'preact' } },
        ],
  },
})
