import { fileURLToPath } from 'node:url'
import express, { Router, type Response } from 'express'

/** The module of the panel's own pages; its other files are beside it. */
export const PAGES_MODULE = '/panel/pages/pages.js'

const MODULES = fileURLToPath(new URL('pages/', import.meta.url))
/** The build does not copy style sheets. */
const STYLES = fileURLToPath(new URL('../../panel/pages/pages.css', import.meta.url))

/** Serves the files of the panel's own pages. */
export function pageFiles(): Router {
  const serveModule = express.static(MODULES, { cacheControl: false, setHeaders })
  return Router()
    .get('/pages.css', (_request, response) => {
      setHeaders(response)
      response.sendFile(STYLES, { cacheControl: false })
    })
    .get('/:name.js', serveModule)
}

function setHeaders(response: Response): void {
  response.set({
    // The names have no hash, so browsers must revalidate their copy at each request.
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
}
