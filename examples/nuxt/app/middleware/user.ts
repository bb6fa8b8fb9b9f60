/** Admits users to a page: on the server, and when the browser navigates without it. */
export default defineNuxtRouteMiddleware(async (to) => {
  // Without `no-store`, Back after the logout would show the page again. A path of `routeRules`
  // would miss it: Vue Router also finds the page as `/REPORTS`.
  if (import.meta.server) useResponseHeader('cache-control').value = 'no-store'
  // `useRequestFetch` passes the cookies on that the browser sent for the page.
  const page = await useRequestFetch()('/api/page-user', { query: { path: to.fullPath } })
  if (page.outcome === 'redirect') return navigateTo(page.location, { external: true })
  if (page.outcome !== 'admitted') {
    return abortNavigation({ statusCode: page.status, message: page.message, fatal: true })
  }
  usePageUser().value = page.user
})
