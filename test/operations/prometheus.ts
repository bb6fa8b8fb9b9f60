import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { ensureProgram } from '../../scripts/programs.mjs'
import { temporaryFolder } from '../support/panel.ts'
import { RULES } from './alerts.ts'

/** A Prometheus that watches one node. */
export interface Prometheus {
  /** Returns the names of the alerts that fire now. */
  readonly firing: () => Promise<readonly string[]>
  /** Waits until the node was watched for long enough that every expression has its range. */
  readonly warm: () => Promise<void>
}

/** Everything is this much faster than the rules have it. */
const FASTER: readonly (readonly [RegExp, string])[] = [
  [/\[15m\]/g, '[12s]'],
  [/\[\d+m\]/g, '[6s]'],
  [/for: \d+m/g, 'for: 2s'],
  [/_age_seconds > 900/g, '_age_seconds > 5'],
  [/svc_auth_streams > 16000/g, 'svc_auth_streams > 5'],
]

const RANGE_MS = 12_000

/** Starts a Prometheus with the rules of the package; it is stopped after the test. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = temporaryFolder()
  const rules = FASTER.reduce(
    (text, [slow, fast]) => text.replaceAll(slow, fast),
    readFileSync(RULES, 'utf8'),
  )
  writeFileSync(join(folder, 'alerts.yml'), rules)
  writeFileSync(join(folder, 'prometheus.yml'), configFor(target))
  const port = await freePort()
  const child = spawn(
    ensureProgram('prometheus'),
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const startedAt = Date.now()
  const api = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).json()
  async function firing(): Promise<readonly string[]> {
    const { data } = await api('api/v1/alerts')
    const all: readonly Alerted[] = data.alerts
    return [...new Set(all.filter(isFiring).map(({ labels }) => labels.alertname))]
  }
  return {
    firing,
    async warm() {
      const isUp = async () => (await api('api/v1/query?query=up')).data.result[0]?.value[1]
      await expect.poll(async () => isUp().catch(() => null), { timeout: 30_000 }).toBe('1')
      const left = startedAt + RANGE_MS - Date.now()
      await new Promise((resolve) => setTimeout(resolve, left))
    },
  }
}

interface Alerted {
  readonly state: string
  readonly labels: { readonly alertname: string }
}

const isFiring = ({ state }: Alerted): boolean => state === 'firing'

function configFor(target: string): string {
  return `
global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
  - job_name: svc-auth
    static_configs: [{ targets: ['${target}'] }]
`
}
