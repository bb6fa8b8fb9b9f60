import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent, RefObject } from 'react'
import { useDismiss, type FocusAfter } from '../../react/bell/use-dismiss.ts'
import { isRepeatedClick } from '../../react/parts/repeated-click.ts'

/** A menu of the header, which its button opens and closes. */
export interface Menu {
  readonly isOpen: boolean
  /** Encloses the button and the content. */
  readonly container: RefObject<HTMLDivElement | null>
  /** The attributes of the button. */
  readonly button: {
    readonly ref: RefObject<HTMLButtonElement | null>
    readonly type: 'button'
    readonly 'aria-expanded': boolean
    readonly 'aria-controls': string
    readonly onClick: (event: MouseEvent) => void
  }
  /** The attributes of the content. */
  readonly content: {
    readonly ref: RefObject<HTMLDivElement | null>
    readonly id: string
    readonly hidden: boolean
  }
  /** Closes the menu, and focuses its button: the pressed element disappears. */
  readonly close: () => void
}

/**
 * Provides a menu by the disclosure pattern of the ARIA Authoring Practices Guide: Tab reaches its
 * links and controls in their order, and Escape, a press outside or leaving it by Tab closes it.
 */
export function useMenu(): Menu {
  const id = useId()
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
    isOpen,
    container,
    button: {
      ref: button,
      type: 'button',
      'aria-expanded': isOpen,
      'aria-controls': id,
      onClick: (event) => setIsOpen(isOpen === isRepeatedClick(event)),
    },
    content: { ref: content, id, hidden: !isOpen },
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
