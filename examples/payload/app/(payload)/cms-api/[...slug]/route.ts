import config from '@payload-config'
import { REST_DELETE, REST_GET, REST_PATCH, REST_POST, REST_PUT } from '@payloadcms/next/routes'
import { guard } from '@svc/auth/fetch'
import { openPanel } from '../../../../lib/auth'

type Handler = ReturnType<typeof REST_GET>

/** Admits users to a handler of Payload. */
function guarded(handler: Handler): Handler {
  return async (request, context) => {
    const { auth } = await openPanel()
    // Payload sends no CSRF token: the browser itself says that a page of this origin asks.
    const { response } = await guard(auth, { csrf: 'same-origin' })(request, { address: null })
    if (response !== null) return response
    const given = await handler(request, context)
    const answer = new Response(given.body, given) // whose headers can be changed
    answer.headers.set('cache-control', 'private, no-cache') // for caches in front
    return answer
  }
}

export const GET = guarded(REST_GET(config))
export const POST = guarded(REST_POST(config))
export const PUT = guarded(REST_PUT(config))
export const PATCH = guarded(REST_PATCH(config))
export const DELETE = guarded(REST_DELETE(config))
