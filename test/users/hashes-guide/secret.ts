import type { HashFormat } from '@svc/auth/hashes'

/** The service's own hashes, which have no secret; `passwords` may set other parameters. */
const OWN = '$argon2id$v=19$m=19456,t=2,p=1$'
const secret = process.env['ARGON2_SECRET']
if (secret === undefined)
  throw new Error('ARGON2_SECRET is missing: give the key of the old hashes')
const key = Buffer.from(secret)

export const keyed: HashFormat = {
  name: 'argon2 with a secret',
  read: (hash) =>
    hash.startsWith('$argon2') && !hash.startsWith(OWN)
      ? { algorithm: 'argon2', hash, secret: key }
      : null,
}
