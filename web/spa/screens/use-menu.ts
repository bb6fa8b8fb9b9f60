import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent, RefObject } from 'react'
import { useDismiss, type FocusAfter } from '../../react/bell/use-dismiss.ts'
import { isRepeatedClick } from '../../react/parts/repeated-click.ts'
import { useElementId } from '../../react/parts/element-id.ts'

/**
 * Provides a menu of the header, by the disclosure pattern of the ARIA Authoring Practices Guide:
 * Tab reaches its links and controls in their order, and Escape, a press outside or leaving it by
 * Tab closes it.
 */
export function useMenu() {
  const id = useElementId()
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const dismiss = useCallback((focus: FocusAfter) => {
    if (focus === 'back') button.current?.focus()
    setIsOpen(false)
  }, [])
  useDismiss(container, isOpen ? dismiss : null)
  useRoom(content, isOpen)
  return {
    /** Encloses the button and the content. */
    container,
    /** The attributes of the button. */
    button: {
      ref: button,
      type: 'button' as const,
      'aria-expanded': isOpen,
      'aria-controls': id,
      onClick: (event: MouseEvent) => setIsOpen(isOpen === isRepeatedClick(event)),
    },
    /** The attributes of the content. */
    content: { ref: content, id, hidden: !isOpen },
    /** Closes the menu, and focuses its button: the pressed element disappears. */
    close: () => dismiss('back'),
  }
}

/** The least distance to the edge of the window. */
const GAP_PX = 8

/** Tells the style sheet how high an open menu may be, wherever the host has put the panel. */
function useRoom(content: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const { current } = content
    if (!isOpen || current === null) return
    const measure = () => {
      const room = document.documentElement.clientHeight - current.getBoundingClientRect().top
      current.style.setProperty('--svc-menu-room', `${room - GAP_PX}px`)
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [content, isOpen])
}
