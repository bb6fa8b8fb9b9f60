import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

interface How {
  /** The signal that ends it after the test. */
  readonly signal?: NodeJS.Signals
  readonly uid?: number
  readonly gid?: number
}

/** Runs a program until the end of the test, and waits until it listens. @returns what it has written so far. */
export async function runListening(
  program: string,
  args: readonly string[],
  port: number,
  { signal = 'SIGTERM', ...user }: How = {},
): Promise<() => string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user })
  let text = ''
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  let over = false
  const closed = once(child, 'close').then(() => (over = true))
  onTestFinished(async () => {
    child.kill(signal)
    await closed
  })
  while (!(await isListening(port))) {
    if (over) throw new Error(`${program} ended before it listened: ${text}`)
    await pause(20)
  }
  return () => text
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
