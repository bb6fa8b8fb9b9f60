import { text } from 'node:stream/consumers'
import { askAtTerminal } from './ask.ts'

const SEVERAL_LINES =
  'Standard input has several lines, and nothing was changed: pipe the password alone.'

/**
 * Reads a password twice from a prompt without echo, or from standard input if that is not a
 * terminal. Takes no argument, because every user of the machine can read the arguments of a
 * process.
 *
 * @throws {Error} The two entries differ, standard input has several lines, or it is empty, such as
 *   in a container that was started without `--interactive`.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readFromInput()
  const password = await askAtTerminal('Password: ', 'hidden')
  if ((await askAtTerminal('Repeat the password: ', 'hidden')) === password) return password
  throw new Error('The two passwords are not the same: nothing was changed.')
}

async function readFromInput(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  // A field of a page takes no line break, so nobody could log in.
  if (/[\r\n]/.test(password)) throw new Error(SEVERAL_LINES)
  if (password !== '') return password
  throw new Error(
    'Standard input has no password, and nothing was changed: run this at a terminal, or pipe the password to it.',
  )
}
