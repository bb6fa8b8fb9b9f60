/** The streams that were written to, with the number of lines left out since the last one. */
const leftOut = new WeakMap<NodeJS.WriteStream, number>()

/**
 * Writes one line to standard error, and never waits for its reader: a log collector that hangs or
 * has died must not stop the service. Lines that a full pipe cannot take are counted instead.
 */
export function writeErrorLine(line: string): void {
  const { stderr: stream } = process
  if (!leftOut.has(stream)) watch(stream)
  if (stream.writableNeedDrain) {
    leftOut.set(stream, (leftOut.get(stream) ?? 0) + 1)
    return
  }
  unblock(stream)
  stream.write(`${line}\n`)
}

/**
 * Returns the log of a host as a function that fails no caller and no process: a line that the log
 * does not take, at once or later, goes to standard error.
 *
 * @param log Default: standard error.
 */
export function safeLog(log: (line: string) => unknown = writeErrorLine): (line: string) => void {
  return (line) => void (async () => log(line))().catch(() => writeErrorLine(line))
}

/**
 * Keeps the process running when the reader of its standard output or error has gone. Without a
 * listener, the next line of anybody would end it.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  }
}

function ignore(): void {
  // There is nowhere left to report it.
}

function watch(stream: NodeJS.WriteStream): void {
  leftOut.set(stream, 0)
  outliveReaders()
  stream.on('drain', () => {
    const lines = leftOut.get(stream) ?? 0
    leftOut.set(stream, 0)
    if (lines > 0) writeErrorLine(noteOf(lines))
  })
}

function noteOf(lines: number): string {
  const message = 'lines were left out of this log, because nobody read it'
  return JSON.stringify({ time: new Date().toISOString(), level: 'warn', message, lines })
}

/**
 * Makes writes to a pipe asynchronous, as they are by default. A child process that inherits the
 * pipe makes it synchronous for this process, too: libuv, `uv_spawn`. A terminal stays as it is,
 * because its mode outlives the process.
 */
function unblock(stream: NodeJS.WriteStream): void {
  if (stream.isTTY) return
  // Node's types lack the handle. A file has none.
  const { _handle: handle } = stream as {
    readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => void }
  }
  handle?.setBlocking?.(false)
}
