import type { Catalogue } from '../messages.ts'
import { account } from './fr-account.ts'
import { mails } from './fr-mails.ts'
import { screens } from './fr-screens.ts'
import { service } from './fr-service.ts'

/** All French texts. */
export const fr: Catalogue = { ...service, ...mails, ...screens, ...account }
