import type { TestProject } from 'vitest/node'
import { ensureChromium } from '../../scripts/chromium.mjs'

/** Makes sure that there is a browser and tells the tests where: `inject('chromiumPath')`. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('chromiumPath', await ensureChromium())
}

declare module 'vitest' {
  interface ProvidedContext {
    chromiumPath: string
  }
}
