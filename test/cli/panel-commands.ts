import { expect } from 'vitest'
import { browserAt, type Browser } from '../support/browser.ts'
import type { AnyJson } from '../support/json.ts'
import { runSvc, type Environment, type PanelProcess } from '../support/panel.ts'

/** A browser at the running reference panel. */
export function browserOf(panel: PanelProcess): Browser {
  return browserAt(addressOf(panel), { origin: panel.url })
}

/** The address that tests connect to: `localhost` may be IPv6. */
export function addressOf({ url }: PanelProcess): string {
  return url.replace('localhost', '127.0.0.1')
}

/** The output of a successful command, and its events in the host's log. */
export interface Done {
  readonly json: AnyJson
  readonly text: string
  readonly events: readonly AnyJson[]
}

/** Runs a command on the reference panel with `--json`. */
export async function done(environment: Environment, ...args: readonly string[]): Promise<Done> {
  const command = runSvc(environment, '--json', ...args)
  expect([await command.ended(), command.stderr()]).toEqual([0, expect.anything()])
  const text = command.stdout()
  return { json: JSON.parse(text), text, events: eventsOf(command.stderr()) }
}

function eventsOf(log: string): readonly AnyJson[] {
  const lines = log.split('\n').filter((line) => line.startsWith('{"time"'))
  return lines.map((line) => JSON.parse(line))
}
