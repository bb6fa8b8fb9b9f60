import type { Catalogue } from '../messages.ts'
import { account } from './fr-account.ts'
import { screens } from './fr-screens.ts'
import { server } from './fr-server.ts'
import { service } from './fr-service.ts'

/** All French texts. */
export const fr: Catalogue = { ...service, ...server, ...screens, ...account }
