#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createProgram } from './program.ts'
import { runProgram } from './run-program.ts'

// The built program and this file are equally deep in the package.
const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string }

await runProgram(createProgram(version), process.argv)
