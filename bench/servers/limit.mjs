import { createServer } from 'node:http'
import { announce } from './announce.mjs'
import { sessionOf } from './serve-user.mjs'
import { openDatabase, SELECT_USER } from './users-table.mjs'

/* The limit of the machine: the cookie names the user, read by one prepared statement. */

const user = openDatabase(process.argv[2]).prepare(SELECT_USER)

const server = createServer((request, response) => {
  const found = user.get(sessionOf(request.headers.cookie ?? ''))
  const body = JSON.stringify(found ?? null)
  response.writeHead(found === undefined ? 401 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})

server.listen(0, () => announce({ port: server.address().port }))
