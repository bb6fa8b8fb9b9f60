import { randomBytes } from 'node:crypto'
import type { Command, OptionValues } from 'commander'
import { replaceKeys } from '../../core/operation/key-check.ts'
import { withService } from '../command/open-service.ts'
import { addCommand, UsageError, type CommandResult } from '../command/result.ts'

const LOST = [
  'Replacing a key that is lost',
  '',
  '  - ends every session and every login that waits for its code,',
  '  - makes links in mails that were sent before, and counts of failed logins, worthless,',
  '  - leaves second factors that nobody can open, where their secrets are sealed with the lost key:',
  '    a user who has one cannot enter a code until `svc two-factor reset` has reset it.',
  '',
  'Stop every node first, and set the new key in the configuration. To replace a key that is not',
  'lost, use `svc key rotate`, which costs nobody their session.',
] as const

/** Adds the commands about application keys. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('Makes and replaces application keys.')
  addCommand(key, 'generate', 'Prints a new key. Writes no file.', generate)
  addCommand(key, 'rotate', 'Prints a new key and how to replace the present one with it.', rotate)
  addCommand(key, 'replace', 'Replaces a key that is lost for good. Ends every session.', replace)
    .option('--yes', 'confirm that every session ends')
    .addHelpText('after', `\n${LOST.join('\n')}`)
}

/** Returns a new application key. */
export function newKey(): string {
  return randomBytes(32).toString('base64')
}

function generate(): CommandResult {
  const key = newKey()
  return { lines: [key], json: { key } }
}

/** Prints steps. The present key is not a part of them: a terminal keeps what it shows. */
function rotate(): CommandResult {
  const key = newKey()
  const steps = [
    `Start every node with  APP_KEY="$APP_KEY,${key}"  (the present key, a comma, the new key). A node without the new key ends the sessions that others open with it; one node alone needs no such step.`,
    `Start every node with  APP_KEY="${key},$APP_KEY"  (the new key, a comma, the present key), which app.keys lists in that order.`,
    'Wait for the lifetime of links in mails and of sessions, which is `session.absolute` (default: 24 hours), or the days of `sessions.remember` and `sessions.trusted`.',
    `Start every node with  APP_KEY="${key}"  unless second factors are sealed with the old key: then keep it at the end of the list.`,
  ]
  const lines = steps.map((step, index) => `${index + 1}. ${step}`)
  const intro =
    '$APP_KEY stands for the present key alone. Finish each step on every node before the next.'
  return { lines: [`New key: ${key}`, '', intro, ...lines], json: { key, steps } }
}

async function replace(options: OptionValues): Promise<CommandResult> {
  if (options['yes'] !== true)
    throw new UsageError(`${LOST.join('\n')}\n\nNothing was changed. Confirm with --yes.`)
  return withService('key replace', options, async ({ parts }) => {
    const ended = await replaceKeys(parts.options.stores, parts.settings.app.keys)
    return {
      lines: [`The key was replaced; ${ended} sessions and waiting logins were ended.`],
      json: { ended },
    }
  })
}
