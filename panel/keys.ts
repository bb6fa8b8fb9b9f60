import { parseArgs } from 'node:util'
import { replaceKeys } from '@svc/auth'
import { runCommand } from './command.ts'
import { readSettings } from './environment.ts'
import { withStorage } from './storage.ts'

const HELP = `Replaces an application key that is lost for good.

  npm run keys -- --replace

Stop every node first, and set APP_KEY to the new key. It takes the environment of npm start. The command makes that
key the one that the nodes share, and

  - ends every session and every login that waits for its code,
  - makes links in mails that were sent before, and counts of failed logins, worthless,
  - leaves second factors that nobody can open: their secrets were sealed with the lost key. Whoever has one cannot
    enter a code until an administrator has reset it.

To rotate a key that is not lost, do not use this: start every node with APP_KEY=new,old instead.
`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { replace: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.replace !== true || values.help === true) {
    console.log(HELP)
    return
  }
  const settings = readSettings(process.env)
  await withStorage(settings, async ({ place, stores }) => {
    const ended = await replaceKeys(stores, settings.appKeys)
    console.log(`Storage: ${place}`)
    console.log(`The key was replaced; ${ended} sessions and waiting logins were ended.`)
  })
}

runCommand(main)
