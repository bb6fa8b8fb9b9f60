#!/usr/bin/env node
import { createRequire } from 'node:module'

// From dist/server, where the built program is.
const { version, engines } = createRequire(import.meta.url)('../../package.json') as {
  readonly version: string
  readonly engines: { readonly node: string }
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [leastMajor = 0, leastMinor = 0] = (engines.node.match(/\d+/g) ?? []).map(Number)

// An older Node cannot even parse or link the rest, which is therefore imported later.
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  const needed = `${leastMajor}.${leastMinor}`
  process.stderr.write(`svc needs Node ${needed} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  const { createProgram } = await import('./program.ts')
  const { runProgram } = await import('./command/run-program.ts')
  await runProgram(createProgram(version), process.argv)
}
