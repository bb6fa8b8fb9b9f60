import { mountSecurity } from '@svc/auth/mount'
import { defineComponent, h, type DefineComponent, type PropType } from 'vue'
import { usePanelAuth } from './plugin.ts'
import { useMounted } from './use-mounted.ts'

/** The properties of `SecurityView`. */
export interface SecurityViewProps {
  /** Name of the panel, for the file with the recovery codes. */
  readonly panel: string
  /** `absent`: the service has no second factor. Default: `bound`. */
  readonly twoFactor?: 'bound' | 'absent'
  /** Called with the heading, such as for the title of the document. */
  readonly onTitle?: (title: string) => void
}

/**
 * Renders the user's password, the second factor, the sessions and the latest security events below
 * their heading, each as the session says, for a layout that has a `<main>` of its own.
 *
 * @example
 * ```ts
 * import { h } from 'vue'
 *
 * const SecurityPage = () => h('main', [h(SecurityView, { panel: 'Shop' })])
 * ```
 */
export const SecurityView: DefineComponent<SecurityViewProps> = defineComponent({
  name: 'SecurityView',
  props: {
    panel: { type: String, required: true },
    twoFactor: String as PropType<'bound' | 'absent'>,
  },
  emits: { title: (title: string) => title !== '' },
  setup(props, { emit }) {
    const { mountOptions } = usePanelAuth()
    const onTitle = (title: string) => emit('title', title)
    const place = useMounted(mountSecurity, () => ({
      ...mountOptions(),
      name: props.panel,
      ...(props.twoFactor && { twoFactor: props.twoFactor }),
      onTitle,
    }))
    return () => h('div', { ref: place })
  },
})
