import { h, shallowReactive, Teleport, type Slots, type VNode } from 'vue'
import type { ShowSlot } from '@svc/auth/mount'

const NAMES = ['brand', 'help', 'forgotPassword'] as const

/**
 * Renders slots into elements that the screens of `@svc/auth/mount` provide.
 *
 * @returns `options`: the options for the screens. `render`: renders the slots that a screen shows.
 */
export function useShownSlots(slots: Slots) {
  const places = shallowReactive(new Map<string, HTMLElement>())
  const shows = NAMES.map((name): [string, ShowSlot] => [name, showIn(places, name)])
  return {
    options: (): Readonly<Record<string, ShowSlot>> =>
      Object.fromEntries(shows.filter(([name]) => slots[name] !== undefined)),
    render: (): readonly (VNode | null)[] =>
      NAMES.map((name) => {
        const to = places.get(name)
        return to === undefined ? null : h(Teleport, { to }, slots[name]?.() ?? [])
      }),
  }
}

function showIn(places: Map<string, HTMLElement>, name: string): ShowSlot {
  return (element) => {
    places.set(name, element)
    return () => {
      if (places.get(name) === element) places.delete(name)
    }
  }
}
