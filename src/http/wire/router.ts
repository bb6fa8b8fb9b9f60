import { API_PATH } from '../../rules/paths.ts'
import { exists, routes, type Route } from '../../rules/routes.ts'
import type { Layer } from '../../rules/routes/row.ts'

/** A row of the route table that fits a path, with the parameters of the path. */
export interface RouteMatch {
  readonly row: Route
  readonly params: Readonly<Record<string, string>>
}

const literal = new Map<string, readonly RouteMatch[]>()
const patterns: { readonly pattern: RegExp; readonly row: Route }[] = []

for (const row of routes) {
  const path = API_PATH + row.path
  if (path.includes('{')) patterns.push({ pattern: patternOf(path), row })
  else literal.set(path, [...(literal.get(path) ?? []), { row, params: {} }])
}

/**
 * Compiles a path of the route table. A parameter is one segment of unreserved characters. Encoded
 * ones do not match, so that each address has one spelling.
 */
function patternOf(path: string): RegExp {
  const literalDots = path.replaceAll('.', String.raw`\.`)
  return new RegExp(`^${literalDots.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w.~-]+)')}$`)
}

/** Returns the path of a request target exactly as it was sent. */
export function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}

/**
 * Returns the routes of a path, one for each method.
 *
 * @param bound The layers whose routes exist.
 */
export function matchesAt(path: string, bound: ReadonlySet<Layer>): readonly RouteMatch[] {
  const all =
    literal.get(path) ??
    patterns.flatMap(({ pattern, row }) => {
      const match = pattern.exec(path)
      return match === null ? [] : [{ row, params: { ...match.groups } }]
    })
  return all.filter(({ row }) => exists(row, bound))
}

/** Returns whether a route handles a method. GET routes handle HEAD; RFC 9110, section 9.3.2. */
export function handlesMethod({ row }: RouteMatch, method: string): boolean {
  return row.method === method || (row.method === 'GET' && method === 'HEAD')
}

/** Returns the methods of some routes, for `Allow`. */
export function methodsOf(matches: readonly RouteMatch[]): readonly string[] {
  return matches.flatMap(({ row }) => (row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]))
}
