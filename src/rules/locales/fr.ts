import screens from './fr-screens.json' with { type: 'json' }
import service from './fr-service.json' with { type: 'json' }

/** The French texts that a page needs first. */
export const first = { ...service, ...screens }
