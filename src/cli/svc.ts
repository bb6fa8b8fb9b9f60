#!/usr/bin/env node
import { createRequire } from 'node:module'
import { createProgram } from './program.ts'
import { runProgram } from './command/run-program.ts'

// From dist/server, where the built program is.
const { version } = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string
}

await runProgram(createProgram(version), process.argv)
