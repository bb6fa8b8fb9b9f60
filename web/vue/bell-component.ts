import { mountBell } from '@svc/auth/mount'
import { defineComponent, h, type DefineComponent } from 'vue'
import { usePanelAuth } from './plugin.ts'
import { useMounted } from './use-mounted.ts'

/** The properties of `Bell`. */
export interface BellProps {
  /** Origin of the service. Default: the page's own. */
  readonly baseUrl?: string
}

/**
 * Renders a button with the count of unread notifications, which opens their list. Renders nothing
 * without a session.
 *
 * @example
 * ```ts
 * import { h } from 'vue'
 *
 * const Header = () => h('header', [h('h1', 'Shop'), h(Bell)])
 * ```
 */
export const Bell: DefineComponent<BellProps> = defineComponent({
  name: 'Bell',
  props: { baseUrl: String },
  setup(props) {
    const { mountOptions } = usePanelAuth()
    const place = useMounted(mountBell, () => {
      const { session, locale } = mountOptions()
      const { baseUrl = '' } = props
      return { session, baseUrl, ...(locale !== undefined && { locale }) }
    })
    return () => h('div', { ref: place })
  },
})
