import { runCommand } from './command.ts'
import { startPanel, type Panel } from './panel.ts'
import { people, SEED_PASSWORD } from './seed.ts'
import { readSettings } from './environment.ts'

const HELP = `The reference panel of @svc/auth.

  npm start            installs what it needs, builds, and runs it
  npm run keys         says how to replace an application key that is lost (svc key replace)
  npm run user         creates people, and changes their passwords (svc user)
  npm run migrate      brings the tables up to date, as every start does, and ends (svc migrate)

Environment
  PORT                 where it listens (3000)
  HOST                 the address that it listens on (this machine only where APP_URL is; every address otherwise)
  SVC_DATA             folder of its SQLite file, of its key and of its mails (./data)
  DATABASE_URL         PostgreSQL instead of SQLite, like postgres://user:password@localhost:5432/panel (none);
                       any number of nodes share it, and need the same APP_KEY
  REDIS_URL            Redis for sessions and attempts, like redis://:password@localhost:6379 (none);
                       with Sentinels redis+sentinel://:password@one:26379,two:26379/mymaster,
                       a Cluster redis+cluster://:password@one:6379,two:6379; over TLS rediss in place of redis
  APP_URL              its address as a browser sees it (http://localhost:$PORT)
  APP_KEY              at least 32 random characters (made and kept in the data folder; with DATABASE_URL: none)
                       to replace it put the new one in front, with a comma: new,old
  SMTP_URL             where mail goes, like smtp://user:password@mail.example.com (files in the data folder);
                       over TLS where it is another machine, unless the address ends in ?ignoreTLS=true
  MAIL_FROM            whom mail comes from (panel@localhost)
  UNSAFE_HTTP          "true" serves plain http under an APP_URL that is not this machine; for networks where nobody
                       else can listen, as session cookies travel in the clear (refused)
  DRAIN_SECONDS        how long it goes on answering after SIGTERM while /readyz says 503, so that a load balancer sends
                       requests to other nodes (5 with DATABASE_URL, otherwise 0)
  METRICS_PORT         the port of the metrics for Prometheus, on 127.0.0.1, like 9464 (nothing is measured)
  TRUSTED_PROXIES      networks whose X-Forwarded-For is believed, like 10.0.0.0/8,192.168.0.1 (none)
`

const NOBODY =
  'Nobody can log in yet. Create the first person:  npm run user -- create --email you@example.com --name "Your Name"'

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(HELP)
    return
  }
  greet(await startPanel(readSettings(process.env), { signals: true }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => console.log('Stopping after the running requests have finished.'))
  }
}

function greet({ url, place, people: state }: Panel): void {
  console.log(`Storage: ${place}`)
  console.log(`The panel is at ${url}`)
  if (state === 'nobody') console.log(NOBODY)
  if (state !== 'made') return
  console.log(`\nExample users, password for all: ${SEED_PASSWORD}\n`)
  for (const { email, is } of people) console.log(`  ${email.padEnd(20)} ${is}`)
}

runCommand(main)
