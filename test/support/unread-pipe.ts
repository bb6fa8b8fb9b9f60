import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A pipe that is full, and that nobody reads until the test does. */
export interface UnreadPipe {
  /** The end to give to a process, as the log collector that hangs gave it. */
  readonly writeEnd: number
  /** Returns what was written since the last call, without what filled the pipe. */
  readonly read: () => string
  /** Closes the reader's end, as a log collector that died. */
  readonly closeReader: () => void
}

const FILLING = '\0'.repeat(4096)

/** Makes a pipe that is gone after the test. */
export function unreadPipe({ full = true } = {}): UnreadPipe {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pipe-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  // Reads and writes, so that opening the other end waits for nobody.
  const readEnd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const writeEnd = openSync(path, constants.O_WRONLY)
  if (full) while (succeeds(() => writeSync(readEnd, FILLING)));
  let isClosed = false
  const closeReader = (): void => {
    if (!isClosed) closeSync(readEnd)
    isClosed = true
  }
  onTestFinished(() => {
    closeReader()
    closeSync(writeEnd)
    rmSync(folder, { recursive: true })
  })
  function read(): string {
    const buffer = Buffer.alloc(1024 * 1024)
    let text = ''
    while (succeeds(() => (text += buffer.toString('utf8', 0, readSync(readEnd, buffer)))));
    return text.replaceAll('\0', '')
  }
  return { writeEnd, read, closeReader }
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch (error) {
    // The pipe is full, or empty.
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false
    throw error
  }
}
