import { onBeforeUnmount, onMounted, shallowRef, type ShallowRef } from 'vue'
import { createBell, type Bell, type BellOptions, type BellState } from '../client/client.ts'
import { useSession } from './plugin.ts'

/** The bell of the session, without its appearance. */
export interface BellController {
  readonly bell: Bell
  readonly state: Readonly<ShallowRef<BellState>>
}

/** The options of `useBell`. The session is the one of the plugin. */
export type UseBellOptions = Omit<BellOptions, 'session'>

/**
 * Follows the bell while the component is mounted. All users of the composable share one
 * connection.
 *
 * @example
 * ```ts
 * import { defineComponent, h } from 'vue'
 *
 * const UnreadCount = defineComponent(() => {
 *   const { state } = useBell()
 *   return () => h('output', state.value.unread ?? 0)
 * })
 * ```
 */
export function useBell({ baseUrl = '' }: UseBellOptions = {}): BellController {
  const bell = createBell({ session: useSession(), baseUrl })
  const state = shallowRef(bell.getState())
  const stops: (() => void)[] = []
  onMounted(() => {
    const unsubscribe = bell.subscribe(() => {
      state.value = bell.getState()
    })
    stops.push(bell.start(), unsubscribe)
  })
  onBeforeUnmount(() => {
    for (const stop of stops) stop()
  })
  return { bell, state }
}
