import { API_PATH, routes, type Route, type RouteName } from '../../rules/routes.ts'

type Row = Route & { readonly name: RouteName }

/** What stands at a path: a row of the route table, and what the path filled in. */
export interface Match {
  readonly row: Row
  readonly params: Readonly<Record<string, string>>
}

const literal = new Map<string, readonly Match[]>()
const patterns: { readonly pattern: RegExp; readonly row: Row }[] = []

for (const row of routes as readonly Row[]) {
  const path = API_PATH + row.path
  if (path.includes('{')) patterns.push({ pattern: patternOf(path), row })
  else literal.set(path, [...(literal.get(path) ?? []), { row, params: {} }])
}

/** A parameter is one segment of characters that mean nothing in a path: what is encoded matches nothing. */
function patternOf(path: string): RegExp {
  const literalDots = path.replaceAll('.', String.raw`\.`)
  return new RegExp(`^${literalDots.replaceAll(/\{(\w+)\}/g, '(?<$1>[\\w.~-]+)')}$`)
}

/** The path of a request target, byte for byte as it was sent. */
export function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}

/**
 * All that stands at a path, one for each method.
 *
 * @param bound Whether a second factor is: without it its routes are not there, for everyone.
 */
export function matchesAt(path: string, bound: boolean): readonly Match[] {
  const all =
    literal.get(path) ??
    patterns.flatMap(({ pattern, row }) => {
      const match = pattern.exec(path)
      return match === null ? [] : [{ row, params: { ...match.groups } }]
    })
  return bound ? all : all.filter(({ row }) => row.factor !== true)
}

/** HEAD is answered as GET; RFC 9110, section 9.3.2. */
export function answers({ row }: Match, asked: string): boolean {
  return row.method === asked || (row.method === 'GET' && asked === 'HEAD')
}

/** The methods that are answered. */
export function methodsOf(matches: readonly Match[]): readonly string[] {
  return matches.flatMap(({ row }) => (row.method === 'GET' ? ['GET', 'HEAD'] : [row.method]))
}
