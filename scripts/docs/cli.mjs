// The commands of docs/cli.md, from their own help.
import { createProgram } from '../../build/src/cli/program.js'
import { fenced } from './generated.mjs'

export const path = 'docs/cli.md'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  return { commands: commandsOf(createProgram(), []).join('\n\n') }
}

/** Returns the help of every command that does something, in the order of the program. */
function commandsOf(command, above) {
  const names = [...above, command.name()]
  if (command.commands.length > 0)
    return command.commands.flatMap((below) => commandsOf(below, names))
  return [`### \`${names.join(' ')}\`\n\n${fenced('text', helpOf(command))}`]
}

/** Returns the help with the text after it, which Commander adds only to its output. */
function helpOf(command) {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return help
    .replace(/\nGlobal Options:\n(?: .*\n)+/, '')
    .replace(/^ *-h, --help .*\n/m, '')
    .replace(/\nOptions:\n\n?(?=\n|$)/, '')
    .trimEnd()
}
