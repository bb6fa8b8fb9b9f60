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

/**
 * Connects the tabs of a panel. The browser's channel is open only while somebody listens, so that importing this on
 * a server opens nothing and lets the process exit. Without `BroadcastChannel` the tabs do not hear each other.
 *
 * @param panel Name of the panel.
 */
export function openPanelChannel(panel: string): PanelChannel {
  if (typeof BroadcastChannel === 'undefined') return { send: () => {}, listen: () => () => {} }
  const name = `svc:${panel}`
  const listeners = new Set<(event: MessageEvent<unknown>) => void>()
  let open: BroadcastChannel | null = null
  return {
    send(message) {
      const channel = open ?? new BroadcastChannel(name)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only Window.postMessage takes an origin
      channel.postMessage(message)
      if (channel !== open) channel.close()
    },
    listen(listener) {
      const channel = (open ??= new BroadcastChannel(name))
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        const message = messages.find((known) => known === data)
        if (message !== undefined) listener(message)
      }
      listeners.add(onMessage)
      channel.addEventListener('message', onMessage)
      return () => {
        channel.removeEventListener('message', onMessage)
        listeners.delete(onMessage)
        if (listeners.size > 0 || channel !== open) return
        channel.close()
        open = null
      }
    },
  }
}
