import type { Catalogue } from '../messages.ts'
import { account } from './ar-account.ts'
import { screens } from './ar-screens.ts'
import { server } from './ar-server.ts'
import { service } from './ar-service.ts'

/** All Arabic texts. */
export const ar: Catalogue = { ...service, ...server, ...screens, ...account }
