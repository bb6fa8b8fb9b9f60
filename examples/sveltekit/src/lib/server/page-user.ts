import { auth } from './auth'
import { error, redirect, type ServerLoadEvent } from '@sveltejs/kit'

/** Returns the user of a page, or redirects to the panel, which returns to the page. */
export async function pageUser({ request, url }: Pick<ServerLoadEvent, 'request' | 'url'>) {
  const verdict = await auth.userFrom(request.headers) // one check for all layouts and pages
  switch (verdict.outcome) {
    case 'admitted':
      return verdict.user
    case 'unavailable': // an outage logs nobody out
    case 'refused':
    case 'answered':
      error(verdict.reply.status === 503 ? 503 : 403)
  }
  const next = new URLSearchParams({ next: url.pathname + url.search })
  redirect(303, `/admin/main/login?${next}`)
}
