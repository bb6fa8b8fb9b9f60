import { mountBell, mountPanel, mountScreens, mountSecurity } from '@svc/auth/mount'
import type { BellOptions, HostPage, PanelOptions, ScreensOptions } from '@svc/auth/mount'
import '@svc/auth/style.css'

const people: HostPage = {
  path: '/people',
  title: 'People',
  show(element, { announce }) {
    element.textContent = 'Ada'
    announce('Loaded')
    return undefined
  },
}
const panel: PanelOptions = { base: '/admin/main', name: 'Acme', pages: [people], locale: 'fr' }
const bell: BellOptions = { panel: 'main' }
const takeAway: () => void = mountPanel(document.querySelector('#panel'), panel)
takeAway()
mountBell(document.querySelector('#bell'))()
mountBell(document.body, bell)()
export function mountParts(screens: ScreensOptions): void {
  mountScreens(document.body, screens)()
  mountSecurity(document.body, screens)()
}

type Accepts<Wanted, Given> = Given extends Wanted ? true : false
export const baseIsOptional: Accepts<PanelOptions, Omit<PanelOptions, 'base'>> = false
export const selectorIsElement: Accepts<Parameters<typeof mountBell>[0], string> = false
