import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { PANEL_CONFIG, type Environment } from '../support/panel.ts'
import { SVC, type Ran } from '../support/svc.ts'

const RUNBOOK = 'docs/runbook.md'

/** Returns the titles of the sections that have commands, in order. */
export function sectionsOf(): readonly string[] {
  const [, ...sections] = readFileSync(RUNBOOK, 'utf8').split(/^## /m)
  return sections.map((text) => text.split('\n')[0] ?? '')
}

/** Returns the commands of a section of the runbook: the text of each of its blocks. */
export function blocksOf(title: string): readonly string[] {
  const sections = readFileSync(RUNBOOK, 'utf8').split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${title}\n`))
  if (section === undefined) throw new Error(`the runbook has no section ${title}`)
  return Array.from(section.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block)
}

/**
 * Stands for the machine of the operator: `npx svc` is the command on the reference panel, and the
 * test starts and stops the nodes.
 */
const MACHINE = `
set -euo pipefail
npx() { shift; "$NODE_PROGRAM" "$SVC" --config "$SVC_CONFIG" "$@"; }
systemctl() { :; }
npm() { :; }
`

/** Runs a block of the runbook in a shell. The environment is that of the panel. */
export async function runBlock(block: string, environment: Environment, input = ''): Promise<Ran> {
  const env = {
    PATH: process.env['PATH'],
    NODE_PROGRAM: process.execPath,
    SVC,
    SVC_CONFIG: PANEL_CONFIG,
    ...environment,
  }
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', MACHINE + block], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1)
      resolve({ code, stdout, stderr })
    })
    child.stdin?.on('error', () => undefined).end(input)
  })
}
