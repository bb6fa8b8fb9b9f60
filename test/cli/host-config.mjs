/** The configuration of a host with one panel on localhost. */
export const hostConfig = (
  key = 'a key of the tests of 32 characters or more',
  url = 'http://localhost:3000',
) => ({
  app: { url, keys: [key] },
  session_auth: { stateful: ['localhost:3000'] },
  svc: { prefix: 'admin', panels: ['main'] },
})

/** The methods of a second factor that no command calls. */
export const uncalledFactor = Object.fromEntries(
  ['verify', 'newSecret', 'qrCode', 'verifySetup', 'enable', 'disable'].map((name) => [
    name,
    () => {
      throw new Error(`no command calls ${name}`)
    },
  ]),
)
