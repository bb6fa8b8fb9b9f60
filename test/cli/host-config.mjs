/** The configuration of a host with one panel on localhost. */
export const hostConfig = (key = 'a key of the tests of 32 characters or more') => ({
  app: { url: 'http://localhost:3000', keys: [key] },
  session_auth: { stateful: ['localhost:3000'] },
  svc: { prefix: 'admin', panels: ['main'] },
})
