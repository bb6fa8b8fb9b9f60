import { createServer } from 'node:http'
import { mount } from '@svc/auth/node'
import { announce } from './announce.mjs'
import { startBenchPanel } from './panel.mjs'

/* The built pages of the reference panel, and an empty page for comparison. */

const EMPTY = '<!doctype html><title>Empty</title><link rel="icon" href="data:,"><p>Empty</p>'

const [, , folder] = process.argv
const server = createServer()
await new Promise((resolve) => server.listen(0, resolve))
const { port } = server.address()
const { panel } = await startBenchPanel([folder], {}, { appUrl: `http://localhost:${port}` })
const servePanel = mount(panel.auth)
server.on('request', (request, response) => {
  if (request.url !== '/empty') servePanel(request, response)
  else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(EMPTY)
})
announce({ port }, () => null)
