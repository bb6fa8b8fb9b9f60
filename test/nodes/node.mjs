// The reference panel as one of its nodes, whose host can be told by messages to do what its own code does.
import { hashPassword } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { startPanel } from '../../build/panel/panel.js'
import { readSettings } from '../../build/panel/environment.js'

const config = JSON.parse(process.env.NODE_CONFIG ?? '{}')
const mysqlUrl = process.env.MYSQL_URL
/**
 * The panel's own tables stay in SQLite. The short interval is for tests that expect a message of
 * another node within a second.
 */
const stores = mysqlUrl && (await mysqlStores(mysqlUrl, { pollSeconds: 0.25 }))
const { auth, users, url } = await startPanel(readSettings(process.env), {
  config,
  ...(stores && { stores }),
})

const host = {
  async enrol(email, password) {
    const cheap = { memoryKiB: 64, passes: 1 }
    await users.create({
      email,
      name: email,
      passwordHash: await hashPassword(password, cheap),
    })
  },
  async notify(email, title) {
    await auth.notify(await users.findByEmail(email), {
      type: 'told',
      via: () => ['database'],
      toDatabase: () => ({ title, body: null, url: null }),
    })
  },
  async endSessions(email) {
    const { id } = await users.findByEmail(email)
    return auth.endSessions(id)
  },
}

process.on('message', ({ call, name, args }) => {
  host[name](...args).then(
    (result) => process.send({ call, result: result ?? null }),
    (error) => process.send({ call, error: String(error) }),
  )
})
// No node is left running by a test run that is killed.
process.once('disconnect', () => process.exit())
process.send({ url })
