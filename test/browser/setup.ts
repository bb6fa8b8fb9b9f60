import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { ensureProgram } from '../../scripts/programs.mjs'

/** Starts the one browser of the run and tells the tests where it is: `inject('browserEndpoint')`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await chromium.launchServer({ executablePath: ensureProgram('chromium') })
  project.provide('browserEndpoint', browser.wsEndpoint())
  return () => browser.close()
}

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string
  }
}
