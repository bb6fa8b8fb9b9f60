import { mount } from '@svc/auth/node'

/** Answers the API and the pages of the panel, before any route of Nuxt. */
export default fromNodeMiddleware(mount(auth))
