import { openPostgres } from '@svc/auth/postgres'
import { postgresUsers } from '@svc/auth/users'

const database = await openPostgres('postgres://panel@localhost/panel')

export const users = postgresUsers(database, {
  table: 'auth.users',
  columns: {
    id: 'id',
    email: 'email',
    name: 'full_name',
    passwordHash: 'password',
    emailVerifiedAt: 'email_verified_at',
    deletedAt: 'deleted_at',
  },
  otherColumns: { role: 'role' },
  where: { kind: 'staff' },
  canAccessPanel: ({ role }) => role === 'administrator',
})
