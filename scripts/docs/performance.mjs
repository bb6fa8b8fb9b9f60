// The tables and the chart of docs/performance.md, from what `npm run bench -- --only peers` measured.
import { readFileSync } from 'node:fs'
import { table } from './generated.mjs'

const RESULTS = 'bench/results/peers.json'
const PLACES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

export const path = 'docs/performance.md'
export const chartPath = 'docs/pictures/peers.svg'

export function parts() {
  const { machine, versions, ...measured } = results()
  const tables = Object.entries(PLACES).map(([name, title]) => tableOf(title, measured[name]))
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return { peers: [...tables, `Measured on ${machine}, with ${named.join(', ')}.`].join('\n\n') }
}

function tableOf(title, rows) {
  const head = [`on ${title}`, 'ratio', 'requests/s', 'p99 ms', 'CPU ms for 1,000', 'RSS MB']
  const cells = rows.map(({ name, ratio, perSecond, p99, cpu, rssMb }) => [
    name,
    ratio.toFixed(2),
    (Math.round(perSecond / 100) * 100).toLocaleString('en'),
    p99.toFixed(1),
    cpu.toFixed(1),
    Math.round(rssMb),
  ])
  return table(head, cells)
}

const WIDTH = 760
const [LEFT, BAR, STEP, TOP] = [320, 18, 26, 52]

/** Draws the ratios as bars. */
export function chart() {
  const measured = results()
  const longest = Math.max(...Object.keys(PLACES).flatMap((name) => measured[name].map(ratioOf)))
  const bars = []
  let y = TOP
  for (const [name, title] of Object.entries(PLACES)) {
    bars.push(`  <text class="place" x="16" y="${y}">On ${title}</text>`)
    y += 12
    for (const row of measured[name]) {
      bars.push(...barOf(row, y, longest))
      y += STEP
    }
    y += 30
  }
  const height = y - 14
  const label = 'Requests for the CPU time that one read of node:http takes, by library'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `  <title>${label}</title>`,
    '  <style>',
    '    .ground { fill: #ffffff }',
    '    .bar { fill: #8c959f }',
    '    .own { fill: #0969da }',
    '    text { fill: #1f2328 }',
    '    .name { text-anchor: end }',
    '    .place { font-weight: 600 }',
    '  </style>',
    `  <rect class="ground" width="${WIDTH}" height="${height}" rx="6"/>`,
    '  <text x="16" y="22">Authenticated reads for the same CPU time; 1.00 is node:http with one read</text>',
    ...bars,
    '</svg>',
    '',
  ].join('\n')
}

const ratioOf = ({ ratio }) => ratio

function barOf({ name, ratio }, y, longest) {
  const width = Math.max(1, Math.round((ratio / longest) * (WIDTH - LEFT - 60)))
  const kind = name.startsWith('@svc/auth') ? 'bar own' : 'bar'
  return [
    `  <text class="name" x="${LEFT - 10}" y="${y + 14}">${name}</text>`,
    `  <rect class="${kind}" x="${LEFT}" y="${y}" width="${width}" height="${BAR}" rx="2"/>`,
    `  <text x="${LEFT + width + 8}" y="${y + 14}">${ratio.toFixed(2)}</text>`,
  ]
}

function results() {
  return JSON.parse(readFileSync(RESULTS, 'utf8'))
}
