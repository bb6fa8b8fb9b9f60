import { mount } from '@svc/auth/fetch'
import { openPanel } from '../auth.server'

/** Answers the API and the pages of the panel. */
async function answer({ request }: { readonly request: Request }): Promise<Response> {
  const { auth } = await openPanel()
  return mount(auth)(request, { address: null })
}

export { answer as action, answer as loader }
