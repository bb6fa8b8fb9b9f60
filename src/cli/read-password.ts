import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'

/**
 * Reads a password twice from a prompt without echo, or from standard input if that is not a
 * terminal. Takes no argument, because every user of the machine can read the arguments of a
 * process.
 *
 * @throws {Error} The two entries differ.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '')
  const password = await ask('Password: ')
  if ((await ask('Repeat the password: ')) === password) return password
  throw new Error('The two passwords are not the same: nothing was changed.')
}

async function ask(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  // The prompt appears after the terminal has stopped echoing.
  process.stderr.write(question)
  // Without this handler, the prompt would swallow Ctrl-C.
  lines.once('SIGINT', () => process.exit(130))
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
