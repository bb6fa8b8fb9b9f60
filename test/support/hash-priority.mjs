// Hashing runs at the lowest priority, so that a busy machine leaves it no time: a login that a test expects is answered
// 503. Here it has the priority of the tests.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

/** The options of Node by which another program does the same. */
export const HASH_PRIORITY = ['--import', import.meta.url]

const { fork } = childProcess
/** @type {(...args: any[]) => import('node:child_process').ChildProcess} */
childProcess.fork = (program, ...rest) => {
  const [options] = rest
  const isHashing = String(program).endsWith('hash-process.js')
  return isHashing ? fork(program, { ...options, execArgv: HASH_PRIORITY }) : fork(program, ...rest)
}
os.setPriority = () => undefined
syncBuiltinESMExports()
