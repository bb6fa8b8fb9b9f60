import type { Command, OptionValues } from 'commander'

/** Returns the text of an option; `null` when it is not given. */
export function stringOption(options: OptionValues, name: string): string | null {
  const value: unknown = options[name]
  return typeof value === 'string' ? value : null
}

/** Adds a command with options of its own. */
export function addCommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description)
}
