import { computed, inject, shallowRef, toValue } from 'vue'
import type { App, ComputedRef, InjectionKey, MaybeRefOrGetter, ShallowRef } from 'vue'
import type { PanelSession, PanelState, PanelUser } from '../client/client.ts'
import type { SecurityOptions } from '../spa/mount.ts'

/** The options of `createPanelAuthPlugin`. */
export interface PanelAuthPluginOptions {
  /** A BCP 47 tag, as a value, a ref or a getter. Default: the language of the document. */
  readonly locale?: MaybeRefOrGetter<string>
  /**
   * Returns `true` if the server has a newer version of the page, which a bar then offers to load.
   * Called when a file does not load, and at most once a minute when the user returns to the tab.
   * Default: the page is never outdated.
   */
  readonly isOutdated?: () => Promise<boolean>
}

/** A plugin for `app.use`. */
export interface PanelAuthPlugin {
  readonly install: (app: App) => void
}

/** Values that the plugin provides to the components of the application. */
interface PanelAuth {
  readonly session: PanelSession
  readonly state: Readonly<ShallowRef<PanelState>>
  /** Returns the options that every mounted part shares. Reactive. */
  readonly mountOptions: () => MountOptions
}

type MountOptions = Pick<SecurityOptions, 'session' | 'locale' | 'isOutdated'>

const KEY: InjectionKey<PanelAuth> = Symbol('@svc/auth/vue')

/**
 * Creates the plugin that provides a session to the components of an application. The plugin starts
 * the session and stops it when the application is unmounted. On a server it does neither.
 *
 * @example
 * ```ts
 * import { createApp } from 'vue'
 * import '@svc/auth/style.css'
 *
 * createApp({ template: '<PanelGate name="Shop"><h1>Orders</h1></PanelGate>' })
 *   .use(createPanelAuthPlugin(session, { locale: 'fr' }))
 *   .component('PanelGate', PanelGate)
 *   .mount('#app')
 * ```
 */
export function createPanelAuthPlugin(
  session: PanelSession,
  options: PanelAuthPluginOptions = {},
): PanelAuthPlugin {
  const { locale, isOutdated } = options
  const mountOptions = () => ({
    session,
    ...(locale !== undefined && { locale: toValue(locale) }),
    ...(isOutdated && { isOutdated }),
  })
  return {
    install(app) {
      const state = shallowRef(session.getState())
      app.provide(KEY, { session, state, mountOptions })
      // A server has no visitor, and its sessions would keep the listeners of every request.
      if (typeof document === 'undefined') return
      const stops = [
        session.subscribe(() => {
          state.value = session.getState()
        }),
        session.start(),
      ]
      onUnmount(app, () => {
        for (const stop of stops) stop()
      })
    },
  }
}

/** Calls back after the application was unmounted. `app.onUnmount` needs Vue 3.5. */
function onUnmount(app: App, callback: () => void): void {
  const unmount = app.unmount.bind(app)
  app.unmount = () => {
    unmount()
    callback()
  }
}

/** Returns the values of the plugin. */
export function usePanelAuth(): PanelAuth {
  // Outside of `setup`, Vue warns and returns nothing, not even the default.
  const auth: PanelAuth | null | undefined = inject(KEY, null)
  if (auth) return auth
  throw new Error('call app.use(createPanelAuthPlugin(session)) before you mount the application')
}

/**
 * Returns the session, for logging in and out.
 *
 * @example
 * ```ts
 * import { defineComponent, h } from 'vue'
 *
 * const LogoutButton = defineComponent(() => {
 *   const session = useSession()
 *   return () => h('button', { onClick: () => void session.logout() }, 'Log out')
 * })
 * ```
 */
export function useSession(): PanelSession {
  return usePanelAuth().session
}

/**
 * Returns the state of the panel as a ref.
 *
 * @example
 * ```ts
 * import { watch } from 'vue'
 *
 * function useDiscardedDraft(draft: { value: string }) {
 *   const panel = usePanelState()
 *   watch(panel, ({ state }) => {
 *     if (state !== 'ready') draft.value = ''
 *   })
 * }
 * ```
 */
export function usePanelState(): Readonly<ShallowRef<PanelState>> {
  return usePanelAuth().state
}

/**
 * Returns the user as a ref; `null` unless the user has passed every gate.
 *
 * @example
 * ```ts
 * import { defineComponent, h } from 'vue'
 *
 * const Greeting = defineComponent(() => {
 *   const user = useUser()
 *   return () => h('p', `Hello, ${user.value?.name ?? 'guest'}`)
 * })
 * ```
 */
export function useUser(): ComputedRef<PanelUser | null> {
  const state = usePanelState()
  return computed(() => (state.value.state === 'ready' ? state.value.user : null))
}
