import { useLayoutEffect, type RefObject } from 'react'

/** Focus after closing: `back` to the button, or it `stays` where the user has put it. */
export type FocusAfter = 'back' | 'stays'

/**
 * Closes a popover on Escape, on a press outside, and when Tab leaves it. The page behind it stays
 * reachable.
 *
 * @param container The popover and its button.
 * @param close `null` while it is closed; must keep its identity between renders.
 */
export function useDismiss(
  container: RefObject<HTMLElement | null>,
  close: ((focus: FocusAfter) => void) | null,
): void {
  // Before the popover is painted: a key that is pressed at once must close it, too.
  useLayoutEffect(() => {
    if (close === null) return
    let lastKey = ''
    // The target is the host of a shadow root that the popover is in.
    const isOutside = (event: Event) =>
      event.composedPath().every((target) => target !== container.current)
    const onKey = ({ key }: KeyboardEvent) => {
      lastKey = key
      if (key === 'Escape') close('back')
    }
    const onPress = (event: Event) => {
      if (isOutside(event)) close('stays')
    }
    const onFocus = (event: Event) => {
      if (isOutside(event)) close(lastKey === 'Tab' ? 'back' : 'stays')
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('focusin', onFocus)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('focusin', onFocus)
    }
  }, [container, close])
}
