import { createAuthClient, createPanelSession, openPanelChannel } from '@svc/auth/client'
import { Bell, PanelAuthProvider, PanelGuard } from '@svc/auth/react'
import '@svc/auth/style.css'
import { useEffect } from 'react'

const channel = openPanelChannel('main')
const session = createPanelSession({ client: createAuthClient(), channel })

export function Shop() {
  useEffect(() => session.start(), [])
  return (
    <PanelAuthProvider session={session} locale="en">
      <PanelGuard otherwise={<a href="/admin/main">Log in</a>}>
        <Bell />
      </PanelGuard>
    </PanelAuthProvider>
  )
}
