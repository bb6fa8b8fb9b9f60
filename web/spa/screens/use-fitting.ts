import { useLayoutEffect, useState, type RefObject } from 'react'

/**
 * Returns how many of the links in a row fit into it; renders again when that changes.
 *
 * @param row Contains the links, and at last the button of the menu for the links that do not fit.
 *   Its width must not depend on its content.
 * @param links Must keep its identity between renders.
 */
export function useFitting(row: RefObject<HTMLElement | null>, links: readonly unknown[]): number {
  const [fitting, setFitting] = useState(links.length)
  useLayoutEffect(() => {
    const { current } = row
    if (current === null || links.length === 0) return
    const measure = () => setFitting(countFitting(current))
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [row, links])
  return Math.min(fitting, links.length)
}

function countFitting(row: HTMLElement): number {
  const room = row.clientWidth
  const gap = Number.parseFloat(getComputedStyle(row).columnGap) || 0
  const widths = widthsIn(row).map((width) => width + gap)
  const menu = widths.pop() ?? 0
  let end = 0
  const ends = widths.map((width) => (end += width))
  if (end - gap <= room) return ends.length
  return ends.filter((end) => end + menu - gap <= room).length
}

/** Returns the widths of the elements in a row, also of those that are hidden. */
function widthsIn(row: HTMLElement): readonly number[] {
  const hidden = [...row.querySelectorAll<HTMLElement>(':scope > [hidden]')]
  for (const element of hidden) element.hidden = false
  const widths = [...row.children].map((element) => element.getBoundingClientRect().width)
  for (const element of hidden) element.hidden = true
  return widths
}
