import { postgresStores } from '@svc/auth/postgres'
import { makeSchemaBeforeEach, meanwhile, open, url } from './postgres-stores.ts'
import { describeRaces } from './server-races.ts'

makeSchemaBeforeEach()
describeRaces({ open, openNode: async () => postgresStores(url), meanwhile })
