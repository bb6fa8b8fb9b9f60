import type { HashFormat } from '@svc/auth/hashes'

const pepper = process.env['DEVISE_PEPPER']
// Without it every password would be wrong, and nothing would be logged.
if (pepper === undefined) throw new Error('DEVISE_PEPPER is missing: give the pepper of Devise')

export const peppered: HashFormat = {
  name: 'Devise with a pepper',
  read: (hash) => (hash.startsWith('$2') ? { algorithm: 'bcrypt', hash } : null),
  prepare: (password) => `${password}${pepper}`,
}
