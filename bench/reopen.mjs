// Many streams of the bell that are opened again at once, on PostgreSQL: what somebody else's
// `GET /svc/api/user` waits for meanwhile, as a ratio to the same while nothing happens.
import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../scripts/postgres.mjs'
import { probeDuring } from './probe.mjs'
import { ask, reply, start } from './processes.mjs'

const HELP = `Usage: node bench/reopen.mjs [--streams N] [--rounds N]

Opens N streams of the bell (default 5000), each of a user of its own, on one process with PostgreSQL. Then
measures how long an authenticated GET takes, 50 times a second: while nothing
happens, while all streams are cut off and opened again in the same instant, the same with the random pause
of the panel's client, and while PostgreSQL is restarted and all streams are opened again. The readers
are a process of their own. Prints the p99 of each and its ratio to the quiet p99 of the
same round. There are 3 rounds by default. Run npm run build:code first. The exit code is 1 when a ratio is above 3.`

const TARGET = 3
const QUIET_MS = 5000

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})
const [streams, rounds] = [values.streams, values.rounds].map(Number)
const isCount = (number) => Number.isSafeInteger(number) && number > 0

if (values.help) console.log(HELP)
else if (isCount(streams) && isCount(rounds)) await measure()
else {
  console.error('--streams and --rounds: whole numbers from 1 on')
  process.exitCode = 2
}

async function measure() {
  const postgres = await startPostgres()
  const server = start('servers/svc-streams.mjs', 0, postgres.url, String(streams + 1), '1')
  const readers = fork(fileURLToPath(new URL('readers.mjs', import.meta.url)))
  try {
    const { port, cookies } = await reply(server)
    const [own, ...others] = cookies
    await ask(readers, { job: 'open', port, cookies: others })
    console.log(`${streams} streams are open`)
    const probe = (during) => probeDuring(port, own, during)
    const restart = async () => {
      await postgres.halt()
      await postgres.resume()
      await pause(QUIET_MS)
      await ask(readers, { job: 'waitUntilOpen' })
    }
    const leave = async () => {
      await ask(readers, { job: 'disconnect' })
      await pause(QUIET_MS)
    }
    for (let round = 1; round <= rounds; round += 1) {
      const quiet = await probe(() => pause(QUIET_MS))
      print(round, 'quiet', quiet, quiet)
      print(round, 'all cut off', await probe(leave), quiet)
      print(
        round,
        'opened at once',
        await probe(() => ask(readers, { job: 'reopen', pauseMs: 0 })),
        quiet,
      )
      await leave()
      const spread = await probe(() => ask(readers, { job: 'reopen', pauseMs: 3000 }))
      print(round, 'with random pause', spread, quiet)
      await pause(QUIET_MS)
      print(round, 'PostgreSQL restarted', await probe(restart), quiet)
      await pause(QUIET_MS)
    }
  } finally {
    readers.disconnect()
    server.disconnect()
    await postgres.stop()
  }
}

function print(round, name, { p50, p99, longest, answered, unavailable, seconds }, quiet) {
  const ratio = p99 / quiet.p99
  if (ratio > TARGET) process.exitCode = 1
  const times = [p50, p99, longest].map((ms) => `${ms.toFixed(1)} ms`).join(', ')
  console.log(
    `round ${round}  ${name.padEnd(21)} ${seconds.toFixed(1)} s, ${answered} answers, ${unavailable} of 503; ` +
      `p50, p99, longest: ${times}; p99 ${ratio.toFixed(1)} times the quiet one`,
  )
}
