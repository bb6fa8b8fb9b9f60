import { createHash, createHmac } from 'node:crypto'
import type { HashFormat } from '@svc/auth/hashes'

const readBcrypt: HashFormat['read'] = (hash) =>
  hash.startsWith('$2') ? { algorithm: 'bcrypt', hash } : null

export const symfony: HashFormat = {
  name: 'Symfony',
  read: readBcrypt,
  prepare: (password) =>
    Buffer.byteLength(password) > 72 || password.includes('\0')
      ? createHash('sha512').update(password).digest('base64')
      : password,
}

export const flaskSecurity: HashFormat = {
  name: 'Flask-Security',
  read: readBcrypt,
  prepare: (password) =>
    createHmac('sha512', saltOfFlask()).update(password.normalize('NFKD')).digest('base64'),
}

function saltOfFlask(): string {
  const salt = process.env['SECURITY_PASSWORD_SALT']
  if (salt === undefined) throw new Error('SECURITY_PASSWORD_SALT is missing')
  return salt
}

export const oslo: HashFormat = {
  name: 'oslo',
  read: (hash) =>
    hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$') ? { algorithm: 'argon2', hash } : null,
  prepare: (password) => password.normalize('NFKC'),
}
