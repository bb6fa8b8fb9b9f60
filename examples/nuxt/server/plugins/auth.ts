import { closeOnSignals } from '@svc/auth/node'

/** Removes expired records, and ends the service with the server. */
export default defineNitroPlugin((nitro) => {
  const pruning = setInterval(() => void auth.prune().catch(console.error), 60_000)
  closeOnSignals(auth) // Nitro waits for open connections, and the streams of the bell stay open
  nitro.hooks.hook('close', async () => {
    clearInterval(pruning)
    await auth.close() // the development server has no signal when it loads the code again
  })
})
