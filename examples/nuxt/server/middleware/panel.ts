import { mount } from '@svc/auth/node'

/** Answers the API and the pages of the panel, before any route of Nuxt. */
export default fromNodeMiddleware((request, response, next) => {
  // Returns nothing: h3 takes a promise for the end of the response.
  openPanel().then(({ auth }) => mount(auth)(request, response, next), next)
})
