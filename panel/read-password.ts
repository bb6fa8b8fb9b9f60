import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'

/**
 * Reads a password from a prompt that shows nothing of it, twice, or from standard input where that is no terminal.
 * Never from an argument: every user of the machine can read those.
 *
 * @throws {Error} The two differ.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  const password = await ask('Password: ')
  if ((await ask('The same again: ')) === password) return password
  throw new Error('The two passwords are not the same: nothing was changed.')
}

async function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  // The terminal no longer echoes: only now is anybody asked to type.
  process.stderr.write(question)
  // Ctrl-C ends the command; without this the prompt would swallow it.
  lines.once('SIGINT', () => process.exit(130))
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
