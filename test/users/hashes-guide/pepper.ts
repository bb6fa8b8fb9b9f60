import type { HashFormat } from '@svc/auth/hashes'

export const peppered: HashFormat = {
  name: 'Devise with a pepper',
  read: (hash) => (hash.startsWith('$2') ? { algorithm: 'bcrypt', hash } : null),
  prepare: (password) => `${password}${process.env['DEVISE_PEPPER']}`,
}
