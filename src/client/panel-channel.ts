/** What the tabs of a panel tell each other. */
export type PanelMessage = (typeof messages)[number]

/** The other tabs of the same panel. */
export interface PanelChannel {
  send(message: PanelMessage): void
  /** @returns how to stop. */
  listen(listener: (message: PanelMessage) => void): () => void
}

const messages = [
  'logged-in',
  'logged-out',
  'session-ended',
  'verified',
  'two-factor-changed',
  'notification-read',
] as const

/** @param panel Name of the panel. A browser without channels has tabs that do not hear each other. */
export function openPanelChannel(panel: string): PanelChannel {
  if (typeof BroadcastChannel === 'undefined') return { send: () => {}, listen: () => () => {} }
  const channel = new BroadcastChannel(`svc:${panel}`)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    send: (message) => channel.postMessage(message),
    listen(listener) {
      const hear = ({ data }: MessageEvent<unknown>) => {
        const message = messages.find((known) => known === data)
        if (message !== undefined) listener(message)
      }
      channel.addEventListener('message', hear)
      return () => channel.removeEventListener('message', hear)
    },
  }
}
