import { createPool } from 'mysql2/promise'
import { mysqlUsers } from '@svc/auth/users'

export const users = mysqlUsers(createPool('mysql://panel@localhost/panel'), {
  table: 'users',
  columns: { id: 'id', email: 'email', passwordHash: 'password', active: 'is_active' },
})
