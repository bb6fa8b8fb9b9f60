import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'

/** The module of the panel's own pages; its other files are beside it. */
export const PAGES_MODULE = '/panel/pages/pages.js'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
const FOLDERS = [
  new URL('pages/', import.meta.url),
  // The build does not copy style sheets, so they are served from the source folder.
  new URL('../../panel/pages/', import.meta.url),
]

interface PageFile {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Serves the files of the panel's own pages.
 *
 * @returns `true` if the request was for one of them.
 */
export type ServePageFile = (request: IncomingMessage, response: ServerResponse) => boolean

/** Reads the files once, when the panel starts. */
export function pageFiles(): ServePageFile {
  const files = new Map(FOLDERS.flatMap(filesIn))
  return ({ method, url = '', headers }, response) => {
    const file = files.get(url)
    if (file === undefined || (method !== 'GET' && method !== 'HEAD')) return false
    const isKnown = headers['if-none-match'] === file.headers['etag']
    response.writeHead(isKnown ? 304 : 200, file.headers)
    response.end(isKnown || method === 'HEAD' ? undefined : file.bytes)
    return true
  }
}

function filesIn(folder: URL): (readonly [string, PageFile])[] {
  return readdirSync(folder).flatMap((name) => {
    const type = TYPES[extname(name)]
    if (type === undefined) return []
    const bytes = readFileSync(new URL(name, folder))
    return [[new URL(name, `http://panel${PAGES_MODULE}`).pathname, fileOf(type, bytes)] as const]
  })
}

/**
 * Prepares a file. Its name has no hash, so browsers must revalidate their copy at each request.
 */
function fileOf(type: string, bytes: Uint8Array): PageFile {
  const hash = createHash('sha256').update(bytes).digest('base64url')
  const headers = {
    'content-type': type,
    'cache-control': 'no-cache',
    etag: `"${hash}"`,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
  return { bytes, headers }
}
