import { expect } from 'vitest'
import type { AnyJson } from '../support/json.ts'
import { runSvc, type Environment } from '../support/panel.ts'

/** The output of a successful command, and its events in the host's log. */
export interface Done {
  readonly json: AnyJson
  readonly text: string
  readonly events: readonly AnyJson[]
}

/** Runs a command on the reference panel with `--json`. */
export async function done(environment: Environment, ...args: readonly string[]): Promise<Done> {
  const { code, stdout, stderr } = await runSvc(environment, '--json', ...args)
  expect([code, stderr]).toEqual([0, expect.anything()])
  return { json: JSON.parse(stdout), text: stdout, events: eventsOf(stderr) }
}

function eventsOf(log: string): readonly AnyJson[] {
  const lines = log.split('\n').filter((line) => line.startsWith('{"time"'))
  return lines.map((line) => JSON.parse(line))
}
