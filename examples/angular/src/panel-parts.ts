import { afterNextRender, Component, DestroyRef, ElementRef, inject } from '@angular/core'
import { mountBell, mountScreens, mountSecurity } from '@svc/auth/mount'
import { session } from './session'

/** The screen that is due: login, code, email verification, second factor, or an outage. */
@Component({ selector: 'app-screens', template: '' })
export class Screens {
  constructor() {
    mountInHost((element) => mountScreens(element, { session, name: 'Shop' }))
  }
}

@Component({ selector: 'app-bell', template: '' })
export class Bell {
  constructor() {
    mountInHost((element) => mountBell(element, { session }))
  }
}

/** The user's second factor. */
@Component({ selector: 'app-security', template: '' })
export class Security {
  constructor() {
    mountInHost((element) => mountSecurity(element, { session, name: 'Shop' }))
  }
}

/** Mounts a part of the panel in the element of the component whose constructor calls it. */
function mountInHost(mount: (element: HTMLElement) => () => void): void {
  const { nativeElement } = inject<ElementRef<HTMLElement>>(ElementRef)
  const destroyRef = inject(DestroyRef)
  afterNextRender(() => void destroyRef.onDestroy(mount(nativeElement)))
}
