import type { OptionValues } from 'commander'
import { askAtTerminal } from './ask.ts'
import { UsageError } from '../command/result.ts'

/**
 * Returns after the operator has confirmed what cannot be undone: by `--yes`, or by an answer at
 * the terminal.
 *
 * @param question Such as `Remove ada@example.com?`
 * @throws {UsageError} There is no terminal, and `--yes` is not given.
 * @throws {Error} The answer is not yes.
 */
export async function confirm(question: string, options: OptionValues): Promise<void> {
  if (options['yes'] === true) return
  if (!process.stdin.isTTY)
    throw new UsageError(`${question} Nothing was changed. Confirm with --yes.`)
  const answer = await askAtTerminal(`${question} (yes/no) `, 'shown')
  if (/^y(?:es)?$/i.test(answer.trim())) return
  throw new Error('Not confirmed: nothing was changed.')
}
