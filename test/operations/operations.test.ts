import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { prometheusName } from '../../scripts/docs/metrics.mjs'
import { metrics } from '../../src/rules/metrics.ts'
import { anchorOf, titlesOf } from '../support/markdown.ts'
import { readAlerts } from './alerts.ts'

const FILES = ['docs/operations/alerts.yml', 'docs/operations/dashboard.json'] as const
const RUNBOOK = 'docs/runbook.md'

/** The labels that Prometheus itself adds. */
const ADDED = ['instance', 'job', 'le']

type Labels = Readonly<Record<string, readonly string[]>>

/** The series of the table, by their names in Prometheus, with the values of their labels. */
const series = new Map<string, Labels>(
  Object.entries(metrics).flatMap(([name, row]) => {
    const base = prometheusName(name, row)
    const names =
      row.kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => base + end) : [base]
    return names.map((one): [string, Labels] => [one, row.labels])
  }),
)

/** The selectors of a file: the name of a series, and its matchers. */
function selectorsIn(text: string) {
  return Array.from(
    text.matchAll(/\b(svc_auth_\w+)(?:\{([^}]*)\})?/g),
    ([, name = '', matchers = '']) => ({ name, matchers }),
  )
}

/** Returns the matchers of a selector that can match nothing. */
function wrongMatchers({ name, matchers }: ReturnType<typeof selectorsIn>[number]) {
  const labels = series.get(name) ?? {}
  const all = Array.from(matchers.matchAll(/(\w+)(?:=~|!~|!=|=)\\?"((?:[^"\\])*)\\?"/g))
  return all.flatMap(([matcher, label = '', values = '']) => {
    if (ADDED.includes(label)) return []
    const known = labels[label] ?? []
    const wrong = values.split('|').filter((value) => !known.some((one) => matches(value, one)))
    return wrong.length === 0 ? [] : [`${name}: ${matcher}`]
  })
}

const matches = (pattern: string, value: string): boolean =>
  new RegExp(`^(?:${pattern})$`).test(value)

describe.each(FILES)('%s', (file) => {
  const text = readFileSync(file, 'utf8')

  it('names only metrics of the table', () => {
    const named = selectorsIn(text).map(({ name }) => name)
    expect(named).not.toEqual([])
    expect(named.filter((name) => !series.has(name))).toEqual([])
  })

  it('names only labels and values that the metric has', () => {
    const selectors = selectorsIn(text)
    expect(selectors.some(({ matchers }) => matchers !== '')).toBe(true)
    expect(selectors.flatMap(wrongMatchers)).toEqual([])
  })

  it('groups and prints only labels that some metric has', () => {
    const labels = Array.from(series.values(), (all) => Object.keys(all)).flat()
    const known = new Set([...ADDED, ...labels])
    const grouped = Array.from(text.matchAll(/\b(?:by|on) \(([^)]+)\)/g), ([, all = '']) =>
      all.split(', '),
    )
    const printed = Array.from(text.matchAll(/\{\{(?: \$labels\.)?(\w+) ?\}\}/g), ([, one]) => one)
    expect([...grouped.flat(), ...printed].filter((name) => !known.has(name ?? ''))).toEqual([])
  })
})

describe('The alerts and the dashboard', () => {
  it('watch every metric of the table', () => {
    const texts = FILES.map((file) => readFileSync(file, 'utf8')).join('\n')
    const unwatched = Object.entries(metrics).filter(
      ([name, row]) => !texts.includes(prometheusName(name, row)),
    )
    expect(unwatched.map(([name]) => name)).toEqual([])
  })
})

describe('Every alert', () => {
  const alerts = readAlerts()
  const titles = titlesOf(readFileSync(RUNBOOK, 'utf8'))

  it('has a severity, a time, a summary and what to do', () => {
    for (const { name, severity, lasts, summary, description } of alerts) {
      expect(['critical', 'warning'], name).toContain(severity)
      expect(lasts, name).toMatch(/^\d+m$/)
      expect(summary.length, name).toBeGreaterThan(20)
      expect(description.length, name).toBeGreaterThan(40)
    }
  })

  it('links to a section of the runbook, and each such section has its alert', () => {
    const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'))
    const sections = titles.filter((title) => /^SvcAuth\w+: /.test(title))
    expect(sections.map((title) => title.split(':')[0])).toEqual(alerts.map(({ name }) => name))
    expect(alerts.map(({ runbook }) => runbook)).toEqual(
      sections.map((title) => `${homepage}/${RUNBOOK}#${anchorOf(title)}`),
    )
  })
})
