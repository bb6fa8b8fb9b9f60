export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  // Without `no-store`, Back after the logout would show the page again.
  routeRules: { '/reports/**': { headers: { 'cache-control': 'no-store' } } },
  app: { head: { htmlAttrs: { lang: 'en' }, link: [{ rel: 'icon', href: 'data:,' }] } },
})
