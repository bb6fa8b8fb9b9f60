import { createAuthClient, createPanelSession, openPanelChannel } from '@svc/auth/client'

export const client = createAuthClient()
export const channel = openPanelChannel('main')
export const session = createPanelSession({ client, channel, panel: 'main' })
export const state = session.getState()
