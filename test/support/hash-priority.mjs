// Hashing runs at the lowest priority, so that a busy machine leaves it no time: a login that a test expects is answered
// 503. Here it has the priority of the tests.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/** The options of Node by which another program does the same. */
export const HASH_PRIORITY = ['--import', import.meta.url]

const { fork } = childProcess
childProcess.fork = (program, options, ...rest) =>
  String(program).endsWith('hash-process.js')
    ? fork(program, { ...options, execArgv: HASH_PRIORITY })
    : fork(program, options, ...rest)
os.setPriority = () => undefined
syncBuiltinESMExports()
