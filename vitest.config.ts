import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { temporaryFolder } from './scripts/temporary-folder.mjs'
import { GroupedSequencer } from './test/support/grouped-sequencer.ts'

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

const POSTGRES = 'test/support/postgres-server.ts'
const REDIS = 'test/support/redis-setup.ts'

/**
 * Servers, processes and browsers may be late on a busy machine, so that a failed test runs once more, as in
 * Playwright's own runner. The last lines of a run name what passed only then.
 */
const REPEATED_ONCE = 1
/** What a failed attempt leaves behind does not count, either. */
const FAILED_ATTEMPTS = 'test/support/failed-attempts.ts'
const SHARED_WORKER = 'test/support/shared-worker.ts'
const HASH_PRIORITY = 'test/support/hash-priority.mjs'

const unit = {
  ...onTheBuild,
  name: 'unit',
  globalSetup: ['test/support/programs.ts', 'test/support/servers.ts'],
  // Before any test starts a process for hashes, which the files of a worker share.
  setupFiles: [HASH_PRIORITY, SHARED_WORKER, FAILED_ATTEMPTS],
  isolate: false,
  testTimeout: 30_000,
  retry: REPEATED_ONCE,
}

const components = {
  isolate: false,
  include: ['test/react/**/*.test.tsx'],
  setupFiles: [FAILED_ATTEMPTS],
  environment: 'happy-dom',
  testTimeout: 30_000,
  retry: REPEATED_ONCE,
}

const browser = {
  ...onTheBuild,
  name: 'browser',
  globalSetup: ['test/support/programs.ts', 'test/browser/setup.ts'],
  setupFiles: [HASH_PRIORITY, SHARED_WORKER, FAILED_ATTEMPTS],
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: REPEATED_ONCE,
}

/** What `npm run test:long` runs and `npm test` does not. */
const LONG = 'test/**/*.long.test.ts'
/** What `npm run test:drills` runs: what takes minutes, such as an operator's work on real servers. */
const DRILL = 'test/**/*.drill.test.ts'
/** In both lanes; they do more when there is time. */
const IN_BOTH = 'test/**/*.both.test.ts'
/** In both lanes: the short one runs them on the other stores, and the long one on MySQL. */
const ON_TWO_NODES = 'test/**/*.nodes.test.ts'

const OTHER_PROJECTS = ['test/browser/**', 'test/firefox/**', 'test/timing/**']

/**
 * The panel that ships is built with Preact, which runs the clean-up of effects later than React,
 * and writes new words into the text node that it knows.
 */
const onPreact = {
  extends: true as const,
  resolve: { alias: preact },
  test: { ...components, name: 'preact' },
}

/** Components that depend on it. The long lane runs all of them on Preact. */
const DEPEND_ON_PREACT = ['confirmation', 'kept-page', 'security-recovery-codes', 'translated'].map(
  (name) => `test/react/${name}.test.tsx`,
)

const short = [
  { ...unit, include: ['test/**/*.test.ts'], exclude: [...OTHER_PROJECTS, LONG, DRILL] },
  { ...components, name: 'react' },
  { ...browser, include: ['test/browser/**/*.test.ts'], exclude: [LONG, DRILL] },
]

/** Tests that kill servers and fill disks share nothing. */
const isolated = { ...unit, isolate: true }

const long = [
  { ...isolated, include: [LONG, IN_BOTH], exclude: OTHER_PROJECTS },
  {
    ...isolated,
    name: 'mysql',
    env: { TEST_STORES: 'MySQL' },
    setupFiles: [...unit.setupFiles, 'test/support/mysql-only.ts'],
    include: [ON_TWO_NODES],
  },
  // After everything else: in the long lane the other tests stop servers and fill disks.
  {
    ...browser,
    include: ['test/browser/**/*.long.test.ts'],
    sequence: { groupOrder: 1 },
  },
  {
    ...browser,
    name: 'firefox',
    globalSetup: ['test/support/programs.ts'],
    include: ['test/firefox/**/*.test.ts'],
    sequence: { groupOrder: 2 },
  },
  // At last, and alone: it compares times.
  {
    ...onTheBuild,
    name: 'timing',
    include: ['test/timing/**/*.test.ts'],
    sequence: { groupOrder: 3 },
  },
]

const drills = [
  { ...isolated, name: 'drills', include: [DRILL], exclude: OTHER_PROJECTS },
  {
    ...browser,
    globalSetup: [...browser.globalSetup, POSTGRES, REDIS],
    include: ['test/browser/**/*.drill.test.ts'],
  },
]

/** What `npm run pictures` runs. */
const pictures = { ...browser, name: 'pictures', include: ['test/browser/pictures.ts'], retry: 0 }

const isLong = process.env['TEST_LONG'] !== undefined

function projectsOfRun() {
  if (process.env['PICTURES'] === 'all') return extended([pictures])
  if (process.env['TEST_DRILLS'] !== undefined) return extended(drills)
  if (isLong) return [...extended(long), onPreact]
  const include = DEPEND_ON_PREACT
  return [...extended(short), { ...onPreact, test: { ...onPreact.test, include } }]
}

function extended<Test>(tests: readonly Test[]) {
  return tests.map((test) => ({ extends: true as const, test }))
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    env: { NODE_ENV: 'test' },
    // A busy machine may need much longer than the second of Vitest.
    expect: { poll: { timeout: 20_000 } },
    // A test that depends on the one before it fails. The run prints its seed: `-- --sequence.seed=…` repeats it. The
    // long lane follows guides from their first block to their last.
    sequence: { shuffle: { tests: !isLong }, sequencer: GroupedSequencer },
    tags: [{ name: 'slow', description: 'takes minutes on a busy machine, so it starts first' }],
    // Tests wait for deadlines and servers half of their time. Those that compare times run alone.
    maxWorkers: availableParallelism() + 1,
    // What a test prints is shown if the test fails.
    silent: 'passed-only',
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    projects: projectsOfRun(),
  },
})
