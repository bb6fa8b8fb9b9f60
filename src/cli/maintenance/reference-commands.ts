import type { Command } from 'commander'
import type { Json } from '../../contracts/host.ts'
import { API_PATH } from '../../rules/paths.ts'
import { exists, routes } from '../../rules/routes.ts'
import { columns } from '../output/columns.ts'
import { addServiceCommand, type OpenService } from '../command/open-service.ts'
import type { CommandResult } from '../command/result.ts'

/** Adds the commands that print what the service serves. */
export function addReferenceCommands(program: Command): void {
  addServiceCommand(
    program,
    'routes',
    'Lists the routes of the service and its pages.',
    async (service) => listRoutes(service),
  )
  addServiceCommand(
    program,
    'openapi',
    'Prints the OpenAPI document of the service, as JSON.',
    openApi,
  )
}

function listRoutes({ parts: { settings, layers } }: OpenService): CommandResult {
  const { limits, svc, spa } = settings
  const served = routes
    .filter((route) => exists(route, layers))
    .map(({ name, method, path, access, limit }) => ({
      method,
      path: API_PATH + path,
      name,
      access,
      limit: limit === null ? null : { ...limits[limit] },
    }))
  const pages = spa.off ? [] : svc.panels.map((panel) => `/${svc.prefix}/${panel}`)
  const rows = served.map(({ method, path, access, limit }) => [
    method,
    path,
    access,
    limit === null ? '' : `${limit.max} in ${limit.windowSeconds} s`,
  ])
  return {
    lines: [
      ...columns([['method', 'path', 'access', 'limit'], ...rows]),
      ...pages.map((page) => `pages   ${page}`),
    ],
    json: { routes: served, pages },
  }
}

/** Requests the document from the service itself, so that it is the one that clients receive. */
async function openApi({ auth }: OpenService): Promise<CommandResult> {
  const { status, body } = await auth.handle({
    method: 'GET',
    target: `${API_PATH}/openapi.json`,
    header: () => null,
    address: '127.0.0.1',
    body: async () => new Uint8Array(),
  })
  if (status !== 200 || typeof body !== 'string')
    throw new Error(`the service answers ${status}: run \`svc doctor\`, which names the cause`)
  // `JSON.parse` returns a value of JSON.
  const json = JSON.parse(body) as Json
  return { lines: JSON.stringify(json, null, 2).split('\n'), json }
}
