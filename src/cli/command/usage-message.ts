import type { CommanderError } from 'commander'

/**
 * Returns the message for arguments that the parser refuses. It repeats no value: a password that
 * somebody typed as an argument must not reach a log as well.
 *
 * @param help The help that the parser has written because there is no command.
 */
export function usageMessage({ code, message }: CommanderError, help: string): string {
  if (code === 'commander.help') return help.trimEnd()
  return `${withoutValues(code, message)}\n${ADVICE}`
}

const ADVICE = 'Use --help for the usage.'

function withoutValues(code: string, message: string): string {
  const text = message.replace(/^error: /, '')
  switch (code) {
    case 'commander.unknownOption':
      // `--name=value` and `-nvalue`; a suggestion follows in a line of its own.
      return text.replace(/^unknown option '(--[^=']*|-[^-=]).*'/s, "unknown option '$1'")
    case 'commander.unknownCommand':
      return text.replace(/^unknown command '.*'/s, 'unknown command')
    case 'commander.invalidArgument':
      return text.replace(/ argument '.*' is invalid/s, ' has an invalid argument')
    default:
      return text
  }
}
