import { mount } from '@svc/auth/node'

/** Answers the API and the pages of the panel, before any route of Nuxt. */
export default fromNodeMiddleware((request, response, next) => {
  // A page that the build renders needs no service: the build has no key and no database.
  if (import.meta.prerender) return next()
  // Returns nothing: h3 takes a promise for the end of the response.
  openPanel().then(({ auth }) => mount(auth)(request, response, next), next)
})
