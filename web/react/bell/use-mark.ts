import type { MarkOutcome } from '../../client/bell/bell-calls.ts'
import { useAnnounce, useText } from '../session/provider.tsx'
import type { BellController } from './use-bell.ts'

/** `silent` after a link: screen readers announce the page that opens instead of the success. */
export type MarkAnnouncement = 'announced' | 'silent'

export interface UseMarkOptions extends Pick<BellController, 'bell'> {
  /** Called with the result of each marking, and with `null` when another begins. */
  readonly onMarked: (outcome: MarkOutcome | null) => void
}

/** Marks as read and announces the result. */
export function useMark({ bell, onMarked }: UseMarkOptions) {
  const text = useText()
  const announce = useAnnounce()
  async function mark(send: () => Promise<MarkOutcome>, successText: () => string | null) {
    onMarked(null)
    const outcome = await send()
    onMarked(outcome)
    const message = outcome.outcome === 'ok' ? successText() : null
    if (message !== null) announce(message)
  }
  const remainingText = () => text('ui.bell.one_read', { count: bell.getState().unread ?? 0 })
  return {
    one: async (id: string, announcement: MarkAnnouncement) =>
      mark(
        async () => bell.read(id),
        () => (announcement === 'announced' ? remainingText() : null),
      ),
    all: async () => mark(bell.readAll, () => text('ui.bell.all_read')),
  }
}
