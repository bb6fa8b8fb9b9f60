import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { WhenOver } from './panel.ts'

export const SVC = fileURLToPath(new URL('../../dist/server/svc.js', import.meta.url))

/** The result of a command: its exit code and its output. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built command `svc` with this environment and nothing else of ours but PATH. */
export async function svc(
  args: readonly string[],
  {
    env = {},
    cwd = process.cwd(),
    input = '',
    whenOver = onTestFinished,
  }: {
    readonly env?: Readonly<Record<string, string>>
    readonly cwd?: string
    readonly input?: string
    readonly whenOver?: WhenOver
  } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [SVC, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
  })
  whenOver(async () => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk))
  // It may have ended without reading.
  child.stdin.on('error', () => undefined).end(input)
  const [code]: (number | null)[] = await once(child, 'close')
  return { code: code ?? null, ...output }
}
