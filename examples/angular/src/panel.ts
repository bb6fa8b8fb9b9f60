import { computed, DestroyRef, inject, Injectable, signal } from '@angular/core'
import { session } from './session'

/** The state of the session as signals. */
@Injectable({ providedIn: 'root' })
export class Panel {
  readonly #state = signal(session.getState())
  readonly #firstUser = signal<string | null>(null)
  readonly user = computed(() => {
    const state = this.#state()
    return state.state === 'ready' ? state.user : null
  })
  /** Shows the application to the first user only. For another user, the page is reloaded. */
  readonly isOpen = computed(() => this.user() !== null && this.user()?.id === this.#firstUser())

  constructor() {
    const follow = () => {
      this.#state.set(session.getState())
      this.#firstUser.update((id) => id ?? this.user()?.id ?? null)
    }
    follow()
    inject(DestroyRef).onDestroy(session.subscribe(follow))
  }
}
