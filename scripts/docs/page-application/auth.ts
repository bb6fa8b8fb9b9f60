import { createPanelAuth } from '@svc/auth'
import { config } from './config.ts'
import { stores } from './stores.ts'
import { users } from './users.ts'

export const auth = createPanelAuth({ config, users, stores })
