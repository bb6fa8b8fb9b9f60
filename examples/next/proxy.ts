import { checkPage } from '@svc/auth/fetch'
import { NextResponse, type NextRequest } from 'next/server'
import { login, openPanel } from './lib/auth'

export const config = { matcher: '/reports/:path*' } // every page that calls `pageUser`

/**
 * Redirects a guest before the page starts: a page that streams has sent its status, 200, before
 * it knows its user. The page checks the user itself, too, because a `matcher` is easy to forget.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  // A server action checks its user itself: it needs the proof of its origin, too.
  if (request.method !== 'GET' && request.method !== 'HEAD') return NextResponse.next()
  const { pathname, search } = request.nextUrl
  const { auth } = await openPanel()
  const page = await checkPage(auth, request.headers, { login, path: pathname + search })
  if (page.outcome === 'admitted') return NextResponse.next()
  if (page.outcome === 'redirect') return NextResponse.redirect(new URL(page.location, request.url))
  return new Response(page.message, { status: page.status }) // an outage logs nobody out
}
