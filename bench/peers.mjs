import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../scripts/postgres.mjs'
import { newPostgresDatabase } from './databases.mjs'
import { pinDatabase } from './processes.mjs'
import { measureReads } from './reads.mjs'
import { printTable, tableOf } from './report.mjs'

const FOLDER = fileURLToPath(new URL('servers/peers/', import.meta.url))
const RESULTS = fileURLToPath(new URL('results/peers.json', import.meta.url))

/** In the order of a round: the limit first. */
const ON_SQLITE = [
  { name: 'the limit: node:http, one read', file: 'limit.mjs', values: [''] },
  { name: '@svc/auth', file: 'svc.mjs', values: [''] },
  {
    name: 'Fastify + @fastify/secure-session, stateless',
    file: 'peers/fastify-secure-session.mjs',
    values: [''],
  },
  { name: 'Hono + iron-session, stateless', file: 'peers/hono-iron-session.mjs', values: [''] },
  { name: 'Fastify + @fastify/session', file: 'peers/fastify-session.mjs', values: [''] },
  { name: 'Express + express-session', file: 'peers/express-session.mjs', values: [''] },
  { name: 'Better Auth', file: 'peers/better-auth.mjs', values: [''] },
]
const ON_POSTGRES = [
  { name: 'the limit: node:http, one read', file: 'limit-postgres.mjs' },
  { name: '@svc/auth', file: 'svc.mjs' },
  { name: 'Express + express-session', file: 'peers/express-session.mjs' },
  { name: 'Better Auth', file: 'peers/better-auth.mjs' },
]

/**
 * Measures an authenticated read of the panel and of its peers, each with the versions of
 * `bench/servers/peers/package.json`, on SQLite and on PostgreSQL.
 */
export async function measurePeers(job) {
  installPeers(job.say)
  job.say('on SQLite')
  const sqlite = await measureReads({ ...job, servers: ON_SQLITE })
  const postgres = await startPostgres()
  try {
    // On the core of the load, as everywhere in this bench.
    pinDatabase(postgres.pid, 1)
    job.say('on PostgreSQL')
    const servers = []
    for (const [index, server] of ON_POSTGRES.entries()) {
      const url = await newPostgresDatabase(postgres.url, `bench_${index}`)
      servers.push({ ...server, values: server.file === 'svc.mjs' ? ['', url] : [url] })
    }
    return { sqlite, postgres: await measureReads({ ...job, servers }) }
  } finally {
    await postgres.stop()
  }
}

function installPeers(say) {
  if (existsSync(new URL('servers/peers/node_modules/.package-lock.json', import.meta.url))) return
  say('installing the peers')
  const options = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options], { cwd: FOLDER, stdio: 'inherit' })
}

/** Prints the results as Markdown, and writes them for the tables and the chart of the documents. */
export function reportPeers({ sqlite, postgres }, machine) {
  const { dependencies } = JSON.parse(readFileSync(`${FOLDER}package.json`, 'utf8'))
  const results = {
    machine,
    versions: dependencies,
    sqlite: tableOf(sqlite),
    postgres: tableOf(postgres),
  }
  for (const name of ['sqlite', 'postgres']) {
    console.log(`\n${name}:\n`)
    printTable(results[name])
  }
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  console.log(
    'Written to bench/results/peers.json: `npm run docs` rewrites the tables and the chart.',
  )
}
