import type { Catalogue } from '../messages.ts'
import { account } from './de-account.ts'
import { screens } from './de-screens.ts'
import { server } from './de-server.ts'
import { service } from './de-service.ts'

/** All German texts. */
export const de: Catalogue = { ...service, ...server, ...screens, ...account }
