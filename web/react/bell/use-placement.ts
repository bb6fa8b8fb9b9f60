import { useLayoutEffect, type RefObject } from 'react'

/** The least distance to the edge of the window. */
const GAP_PX = 8
/** The list opens above its bell only when less than this is free below it. */
const ROOM_PX = 320

/**
 * Keeps the popover inside the window, wherever the host has put its bell. The style sheet lets it
 * begin below the bell, at the end of the line; this moves it from there.
 *
 * @param layout A sheet is placed by the browser.
 */
export function usePlacement(
  dialog: RefObject<HTMLElement | null>,
  layout: 'popover' | 'sheet',
): void {
  useLayoutEffect(() => {
    const popover = dialog.current
    const bell = popover?.parentElement
    if (layout === 'sheet' || !popover || !bell) return
    const place = () => placeBeside(popover, bell)
    place()
    addEventListener('resize', place)
    return () => removeEventListener('resize', place)
  }, [dialog, layout])
}

function placeBeside(popover: HTMLElement, bell: HTMLElement): void {
  const { clientWidth, clientHeight } = document.documentElement
  popover.dataset['side'] = 'below'
  popover.style.translate = ''
  const { left, top, width } = popover.getBoundingClientRect()
  const below = clientHeight - top - GAP_PX
  const above = bell.getBoundingClientRect().top - 2 * GAP_PX
  const isAbove = below < ROOM_PX && above > below
  if (isAbove) popover.dataset['side'] = 'above'
  popover.style.setProperty('--svc-bell-room', `${Math.max(0, isAbove ? above : below)}px`)
  // In a window that is narrower than the list, its beginning at the left edge counts.
  const last = Math.max(GAP_PX, clientWidth - width - GAP_PX)
  const shift = Math.min(Math.max(left, GAP_PX), last) - left
  if (shift !== 0) popover.style.translate = `${shift}px`
}
