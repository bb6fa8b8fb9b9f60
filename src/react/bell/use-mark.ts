import type { MarkOutcome } from '../../client/bell-calls.ts'
import { useAnnounce, useText } from '../provider.tsx'
import type { BellController } from './use-bell.ts'

/** `said` announces the success; after a link, the page that opens is announced instead. */
export type Said = 'said' | 'unsaid'

export interface UseMarkOptions extends Pick<BellController, 'bell'> {
  /** Called with the result of each marking, and with `null` when another begins. */
  readonly onMarked: (outcome: MarkOutcome | null) => void
}

/** Marks as read and announces the result. */
export function useMark({ bell, onMarked }: UseMarkOptions) {
  const text = useText()
  const announce = useAnnounce()
  async function mark(send: () => Promise<MarkOutcome>, done: () => string | null) {
    onMarked(null)
    const outcome = await send()
    onMarked(outcome)
    const message = outcome.outcome === 'ok' ? done() : null
    if (message !== null) announce(message)
  }
  const left = () => text('ui.bell.one_read', { count: bell.getState().unread ?? 0 })
  return {
    one: async (id: string, said: Said) =>
      mark(
        async () => bell.read(id),
        () => (said === 'said' ? left() : null),
      ),
    all: async () => mark(bell.readAll, () => text('ui.bell.all_read')),
  }
}
