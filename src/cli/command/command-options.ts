import type { OptionValues } from 'commander'

/** Returns the text of an option; `null` when it is not given. */
export function stringOption(options: OptionValues, name: string): string | null {
  const value: unknown = options[name]
  return typeof value === 'string' ? value : null
}
