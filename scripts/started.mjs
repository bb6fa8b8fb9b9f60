/**
 * Waits until a server says in its log that it is ready.
 *
 * @param {import('node:child_process').ChildProcess} server
 * @param {{ readonly name: string, readonly ready: string }} expected
 * @throws {Error} It has ended; the message has the end of its log.
 */
export async function started(server, { name, ready }) {
  let log = ''
  await new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-10_000)
      if (log.includes(ready)) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`${name} did not start.\n${log}`)))
  })
}
