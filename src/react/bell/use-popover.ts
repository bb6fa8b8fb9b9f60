import { useEffect } from 'react'
import type { RefObject } from 'react'

/** Where the focus goes when a popover closes: to its button, or wherever the person has put it. */
export type FocusAfter = 'back' | 'stays'

/**
 * Closes a popover by Escape, by a press outside, and when Tab leads out of it. The page behind it stays within
 * reach.
 *
 * @param whole The popover and its button.
 * @param close `null` while it is closed; has to stay the same from one drawing to the next.
 */
export function usePopover(
  whole: RefObject<HTMLElement | null>,
  close: ((focus: FocusAfter) => void) | null,
): void {
  useEffect(() => {
    if (close === null) return
    let lastKey = ''
    const isOutside = ({ target }: Event) =>
      !(target instanceof Node && whole.current?.contains(target))
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
  }, [whole, close])
}
