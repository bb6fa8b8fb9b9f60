import screens from './ar-screens.json' with { type: 'json' }
import service from './ar-service.json' with { type: 'json' }

/** The Arabic texts that a page needs first. */
export const first = { ...service, ...screens }
