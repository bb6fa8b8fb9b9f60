import screens from './de-screens.json' with { type: 'json' }
import service from './de-service.json' with { type: 'json' }

/** The German texts that a page needs first. */
export const first = { ...service, ...screens }
