import { mount } from '@svc/auth/fetch'
import { auth } from '../auth.server'

const serve = mount(auth)

/** Answers the API and the pages of the panel. */
const answer = async ({ request }: { readonly request: Request }) =>
  serve(request, { address: null })

export { answer as action, answer as loader }
