import { mysqlStores } from '@svc/auth/mysql'
import { emptyBeforeEach, meanwhile, open, url } from './mysql-stores.ts'
import { describeRaces } from './server-races.ts'

emptyBeforeEach()
describeRaces({ open, openNode: async () => mysqlStores(url), meanwhile })
