import type { Catalogue } from '../messages.ts'
import { account } from './de-account.ts'
import { mails } from './de-mails.ts'
import { screens } from './de-screens.ts'
import { service } from './de-service.ts'

/** All German texts. */
export const de: Catalogue = { ...service, ...mails, ...screens, ...account }
