import { readFileSync } from 'node:fs'

/** The rules of the alerts, as the package has them. */
export const RULES = 'docs/operations/alerts.yml'

/** An alert of the rule file. */
export interface Alert {
  readonly name: string
  readonly severity: string
  /** The time for which its expression must hold. */
  readonly lasts: string
  readonly summary: string
  readonly description: string
  /** The link to the runbook. */
  readonly runbook: string
}

/** Reads the alerts. The file has one form, which `promtool` checks in the long lane. */
export function readAlerts(): readonly Alert[] {
  const [, ...rules] = readFileSync(RULES, 'utf8').split('- alert: ')
  return rules.map((rule) => ({
    name: /^\w+/.exec(rule)?.[0] ?? '',
    severity: valueOf(rule, 'severity'),
    lasts: valueOf(rule, 'for'),
    summary: valueOf(rule, 'summary'),
    description: valueOf(rule, 'description'),
    runbook: valueOf(rule, 'runbook_url'),
  }))
}

function valueOf(rule: string, key: string): string {
  const [, value = ''] = new RegExp(String.raw`\b${key}: '?([^'\n]+)`).exec(rule) ?? []
  return value.replace(/ \}$/, '')
}
