import { Readable, Writable } from 'node:stream'
import type { createProgram } from '../../build/src/cli/program.js'
import type { runProgram } from '../../build/src/cli/command/run-program.js'
import type { Ran } from './svc.ts'

const BUILT = new URL('../../dist/server/', import.meta.url)
const FORBIDDEN_MIGRATIONS = Symbol.for('@svc/auth: migrations are forbidden')
/** The events of the process that the command listens to. */
const EVENTS = ['exit', 'uncaughtException', 'SIGINT', 'SIGTERM'] as const

interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the built command `svc` in this process, which takes a fraction of the time of `svc`. One at a time: each has
 * the streams, the environment and the folder of the process for itself. What is about a process needs `svc`: how
 * files are loaded, signals, terminals, pipes, and commands at once.
 */
export async function svcHere(args: readonly string[], options: Options = {}): Promise<Ran> {
  const ran = last.then(async () => runHere(args, options))
  last = ran.catch(() => undefined)
  return ran
}

async function runHere(
  args: readonly string[],
  { env = {}, cwd = process.cwd(), input = '' }: Options,
): Promise<Ran> {
  const { createProgram, runProgram } = await loadProgram()
  const output = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof output): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        output[name] += chunk.toString()
        done()
      },
    })
  const restore = [
    replaceEnvironment({ PATH: process.env['PATH'], ...env }),
    replaceFolder(cwd),
    replace(globalThis, 'console', console),
    replace(process, 'stdin', Readable.from([Buffer.from(input)])),
    replace(process, 'stdout', sink('stdout')),
    replace(process, 'stderr', sink('stderr')),
    replace(process, 'exit', () => undefined),
  ]
  const listeners = new Set(EVENTS.flatMap(listenersOf))
  try {
    const running = runProgram(createProgram(), [process.execPath, 'svc', ...args])
    // The program's own; the stores register others later, which stay.
    const own = EVENTS.flatMap(listenersOf).filter((one) => !listeners.has(one))
    restore.push(() => EVENTS.forEach((event) => own.forEach((one) => process.off(event, one))))
    await running
    return { code: codeAfter(own), ...output }
  } finally {
    for (const undo of restore.toReversed()) undo()
    Reflect.deleteProperty(globalThis, FORBIDDEN_MIGRATIONS)
  }
}

/** Loads the copy of the program that shares its modules with the packages that a host imports. */
async function loadProgram() {
  const [program, run]: [
    { readonly createProgram: typeof createProgram },
    { readonly runProgram: typeof runProgram },
  ] = await Promise.all([
    import(new URL('chunk-program.js', BUILT).href),
    import(new URL('chunk-run-program.js', BUILT).href),
  ])
  return { ...program, ...run }
}

/** Returns the code that the program sets while its process exits. */
function codeAfter(own: readonly Listener[]): number | null {
  for (const one of listenersOf('exit')) if (own.includes(one)) one()
  const code = process.exitCode
  process.exitCode = undefined
  return typeof code === 'number' ? code : null
}

type Listener = () => void

function listenersOf(event: (typeof EVENTS)[number]): readonly Listener[] {
  // Each event has a type of its own for what all are: functions.
  return process.rawListeners(event) as Listener[]
}

type Undo = () => void

function replace(owner: object, name: string, value: unknown): Undo {
  const before = Object.getOwnPropertyDescriptor(owner, name) ?? {}
  Object.defineProperty(owner, name, { configurable: true, writable: true, value })
  return () => Object.defineProperty(owner, name, before)
}

function replaceEnvironment(env: NodeJS.ProcessEnv): Undo {
  const before = { ...process.env }
  const set = (values: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, values)
  }
  set(env)
  return () => set(before)
}

function replaceFolder(cwd: string): Undo {
  const before = process.cwd()
  process.chdir(cwd)
  return () => process.chdir(before)
}
