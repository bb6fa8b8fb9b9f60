import { account } from './en-account.ts'
import { screens } from './en-screens.ts'
import { server } from './en-server.ts'
import { service } from './en-service.ts'

/** All English texts. They define the keys that every other catalogue must have. */
export const en = { ...service, ...server, ...screens, ...account }
