/** Messages between the tabs of a panel. */
export type PanelMessage = (typeof messages)[number]

/** Channel between the tabs of a panel. */
export interface PanelChannel {
  send(message: PanelMessage): void
  /** Adds a listener. @returns A function that removes it. */
  listen(listener: (message: PanelMessage) => void): () => void
}

const messages = [
  'logged-in',
  'logged-out',
  'session-ended',
  'verified',
  'two-factor-changed',
  'account-changed',
  'notification-read',
] as const

/**
 * Opens a channel.
 *
 * @returns `null` if the browser has none, or forbids it: Firefox does, without cookies.
 */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name)
  } catch {
    return null
  }
}

/**
 * Connects the tabs of a panel. Opens the browser's channel only while it has listeners, so that an
 * import on a server opens nothing and lets the process exit. Where the browser has no channels
 * or forbids them, the tabs are not connected.
 *
 * @param panel Name of the panel.
 *
 * @example
 * ```ts
 * const channel = openPanelChannel('main')
 * const stop = channel.listen((message) => {
 *   if (message === 'logged-out') location.reload()
 * })
 * ```
 */
export function openPanelChannel(panel: string): PanelChannel {
  const name = `svc:${panel}`
  const listeners = new Set<(event: MessageEvent<unknown>) => void>()
  let open: BroadcastChannel | null = null
  return {
    send(message) {
      const channel = open ?? openChannel(name)
      channel?.postMessage(message)
      if (channel !== open) channel?.close()
    },
    listen(listener) {
      const channel = (open ??= openChannel(name))
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        const message = messages.find((known) => known === data)
        if (message !== undefined) listener(message)
      }
      listeners.add(onMessage)
      channel?.addEventListener('message', onMessage)
      return () => {
        channel?.removeEventListener('message', onMessage)
        listeners.delete(onMessage)
        if (listeners.size > 0 || channel !== open) return
        channel?.close()
        open = null
      }
    },
  }
}
