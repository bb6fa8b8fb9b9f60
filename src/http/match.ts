import { API_PATH, routes, type Route, type RouteName } from '../rules/routes.ts'

type Row = Route & { readonly name: RouteName }

const literal = new Map<string, readonly Row[]>()
const patterns: { readonly pattern: RegExp; readonly row: Row }[] = []

for (const row of routes as readonly Row[]) {
  const path = API_PATH + row.path
  if (path.includes('{')) patterns.push({ pattern: patternOf(path), row })
  else literal.set(path, [...(literal.get(path) ?? []), row])
}

/** A parameter is one segment of characters that mean nothing in a path: what is encoded matches nothing. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[\\w.~-]+')}$`)
}

/** The path of a request target, byte for byte as it was sent. */
export function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}

/** The rows of the route table at a path, one for each method. */
export function rowsAt(path: string): readonly Row[] {
  return (
    literal.get(path) ?? patterns.filter(({ pattern }) => pattern.test(path)).map(({ row }) => row)
  )
}

/** HEAD is answered as GET; RFC 9110, section 9.3.2. */
export function answers({ method }: Row, asked: string): boolean {
  return method === asked || (method === 'GET' && asked === 'HEAD')
}

/** The methods that rows answer. */
export function methodsOf(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
