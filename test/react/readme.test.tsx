import { createRoot } from 'react-dom/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ada, one } from './open-panel.tsx'

it('the React host of the README shows a link to a guest, and a bell to a logged-in user', async () => {
  let user: typeof ada | null = null
  const fetch = vi.fn(async (url: string) => {
    if (user === null) return Response.json({ key: 'svc::auth.unauthenticated' }, { status: 401 })
    if (url.endsWith('/csrf-cookie')) return new Response(null, { status: 204 })
    return Response.json(url.endsWith('/user') ? user : { unread_count: 2 })
  })
  vi.stubGlobal('fetch', fetch)
  // Its session is the module's, and takes the page's fetch when it is made.
  const { Shop } = await import('../readme/react-host.tsx')
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  onTestFinished(() => {
    root.unmount()
    vi.unstubAllGlobals()
  })
  root.render(<Shop />)
  await vi.waitFor(() => expect(fetch).toHaveResolved())
  await vi.waitFor(() => expect(one('a[href="/admin/main"]').textContent).toBe('Log in'))
  user = ada
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await vi.waitFor(() => one('[aria-label="Notifications, 2 unread"]'))
})
