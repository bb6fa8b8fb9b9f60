import { randomBytes } from 'node:crypto'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { buildConfig, type CollectionConfig } from 'payload'
import { userStrategy } from './lib/user-strategy'

const users: CollectionConfig = {
  slug: 'users',
  // The accounts are those of the service: Payload has a document for each, and no login.
  auth: { disableLocalStrategy: true, strategies: [userStrategy] },
  access: { create: () => false, update: () => false, delete: () => false },
  fields: [
    { name: 'email', type: 'email', required: true, unique: true },
    { name: 'name', type: 'text' },
  ],
}

const orders: CollectionConfig = {
  slug: 'orders',
  admin: { useAsTitle: 'item' },
  fields: [{ name: 'item', type: 'text', required: true }],
}

export default buildConfig({
  routes: { admin: '/cms', api: '/cms-api' }, // the panel has /admin
  admin: {
    user: 'users',
    avatar: 'default', // Payload's own default sends a hash of the email to another site
    components: { logout: { Button: '/lib/account-link#AccountLink' } },
  },
  collections: [users, orders],
  db: sqliteAdapter({ client: { url: process.env['DATABASE_URL'] ?? 'file:cms.db' } }),
  graphQL: { disable: true },
  secret: process.env['APP_KEY'] ?? randomBytes(32).toString('base64'),
})
