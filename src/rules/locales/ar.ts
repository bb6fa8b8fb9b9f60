import type { Catalogue } from '../messages.ts'
import { account } from './ar-account.ts'
import { mails } from './ar-mails.ts'
import { screens } from './ar-screens.ts'
import { service } from './ar-service.ts'

/** All Arabic texts. */
export const ar: Catalogue = { ...service, ...mails, ...screens, ...account }
