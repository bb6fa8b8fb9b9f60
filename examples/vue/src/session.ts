import {
  createAuthClient,
  createPanelSession,
  openPanelChannel,
  takeLinkOutcome,
} from '@svc/auth/client'

export const session = createPanelSession({
  client: createAuthClient(),
  channel: openPanelChannel('main'),
  panel: 'main',
  link: takeLinkOutcome(), // of the mail that verifies an address
})
