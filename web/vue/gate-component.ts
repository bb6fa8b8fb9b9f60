import { mountScreens } from '@svc/auth/mount'
import { computed, defineComponent, h, onBeforeUnmount, onMounted, shallowRef } from 'vue'
import type { DefineComponent, VNodeChild } from 'vue'
import { onOtherUser } from '../client/session/other-user.ts'
import type { ScreensOptions } from '../spa/mount.ts'
import { usePanelAuth } from './plugin.ts'
import { useMounted } from './use-mounted.ts'
import { useShownSlots } from './use-shown-slots.ts'

/** The properties of `PanelGate`. */
export type PanelGateProps = Pick<ScreensOptions, 'name' | 'codeDigits' | 'linkMinutes'>

/** The slots of `PanelGate`. */
export interface PanelGateSlots {
  /** The application. */
  readonly default?: () => VNodeChild
  /** Shown above every screen. Default: the panel's name and its mark. */
  readonly brand?: () => VNodeChild
  /** Shown below the login form and the code form, such as a link to help. Default: nothing. */
  readonly help?: () => VNodeChild
  /**
   * Shown below the login form: a link that resets a password. Default: nothing. Not shown if the
   * session has `passwords`: the service then resets them.
   */
  readonly forgotPassword?: () => VNodeChild
}

/**
 * Renders the application, which is the default slot, while a user is logged in who has passed
 * every gate, and the screen that is due in its place: login, code, email verification, required
 * set-up of the second factor, or an outage. The address stays. The application is unmounted with
 * everything that it keeps in memory; the page is reloaded if another user logs in, in whichever
 * tab. This is not a protection: the service guards the data.
 *
 * @example
 * ```ts
 * import { createApp, h } from 'vue'
 * import '@svc/auth/style.css'
 *
 * const Shop = () => h(PanelGate, { name: 'Example Shop' }, () => h('h1', 'The application'))
 *
 * createApp(Shop).use(createPanelAuthPlugin(session)).mount('#app')
 * ```
 */
export const PanelGate: DefineComponent<PanelGateProps> & (new () => { $slots: PanelGateSlots }) =
  defineComponent({
    name: 'PanelGate',
    inheritAttrs: false,
    props: { name: { type: String, required: true }, codeDigits: Number, linkMinutes: Number },
    setup(props, { slots }) {
      const { mountOptions } = usePanelAuth()
      const isOpen = useIsOpen()
      const shown = useShownSlots(slots)
      const place = useMounted(mountScreens, () => ({
        ...mountOptions(),
        ...props,
        ...shown.options(),
      }))
      return () => [
        isOpen.value ? slots['default']?.() : null,
        // Stays below the application, because it announces that an address is verified.
        h('div', { ref: place }),
        shown.render(),
      ]
    },
  })

/** Returns whether the application may be rendered: closed on a server and for another user. */
function useIsOpen() {
  const { session, state } = usePanelAuth()
  const access = shallowRef<'unknown' | 'first-user' | 'other-user'>('unknown')
  let stop = () => {}
  onMounted(() => {
    access.value = 'first-user'
    stop = onOtherUser(session, () => {
      access.value = 'other-user'
    })
  })
  onBeforeUnmount(() => stop())
  return computed(() => access.value === 'first-user' && state.value.state === 'ready')
}
