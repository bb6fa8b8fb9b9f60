// Writes on a thread, and ends as the second argument says. It tells the times of what it does.
import { writeFileSync } from 'node:fs'
import { onThread } from './on-thread.mjs'

const [, , file, how] = process.argv
const { stores } = await onThread(file)
if (how !== 'close') writeFileSync(process.env.SVC_DISK, '30000')
const writing = stores.attempts.reserve('key', 1000, 0).then(
  ({ number }) => console.log(`number ${number}`),
  ({ name }) => console.log(name),
)
const startedAt = performance.now()
await new Promise((resolve) => setTimeout(resolve, how === 'close' ? 0 : 200))
if (how === 'exit') process.exit(0)
await stores.close()
await writing
console.log(
  `closed after ${performance.now() - startedAt < 4000 ? 'less' : 'more'} than four seconds`,
)
