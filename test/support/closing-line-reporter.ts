import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with one line a machine can read: "12 passed, 0 failed". Before it come the tests that
 * passed only when they were repeated, each with what failed.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const states = tests.map((test) => test.result().state)
    for (const test of tests.filter((one) => one.diagnostic()?.flaky === true)) {
      console.log(`\nFailed once, then passed: ${test.module.relativeModuleId} > ${test.fullName}`)
      for (const { message, diff = '', stacks = [] } of test.result().errors ?? []) {
        const places = stacks.map(({ file, line }) => `  at ${file}:${line}`)
        console.log([message, diff, ...places].join('\n'))
      }
    }
    const passed = states.filter((state) => state === 'passed').length
    // A file that cannot be loaded, or an error outside a test, has no test of its own to count.
    const broken = modules.filter((module) => module.errors().length > 0).length
    const failed =
      states.filter((state) => state === 'failed').length + broken + unhandledErrors.length
    console.log(`\n${passed} passed, ${failed} failed`)
  }
}
