import { saltedHash } from '@svc/auth/hashes'
import { postgresUsers } from '@svc/auth/users'
import { Pool } from 'pg'

const table = postgresUsers(new Pool(), {
  table: 'users',
  columns: { id: 'id', email: 'email', passwordHash: 'hash' },
  otherColumns: { salt: 'salt' },
})

export const users: typeof table = {
  ...table,
  passwordHash: ({ passwordHash, salt }) => saltedHash(passwordHash, String(salt)),
  rehash: (user, _joined, to) => table.rehash(user, user.passwordHash ?? '', to),
  setPasswordHash: (user, _joined, to) => table.setPasswordHash(user, user.passwordHash, to),
}
