/**
 * Returns the items at the start of a list that fit a limit. Parsing a list takes time with its
 * length, and any client can fill the headers of a request with one.
 */
export function firstItems(list: string, limit: number): string {
  if (list.length <= limit) return list
  return list.slice(0, Math.max(0, list.lastIndexOf(',', limit)))
}

/** Returns the items at the end of a list that fit a limit. */
export function lastItems(list: string, limit: number): string {
  if (list.length <= limit) return list
  const comma = list.indexOf(',', list.length - limit - 1)
  return comma < 0 ? '' : list.slice(comma + 1)
}
