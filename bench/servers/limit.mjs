import { createServer } from 'node:http'
import { announce } from './announce.mjs'
import { openDatabase, SELECT_USER } from './users-table.mjs'

/* What the machine can do: the cookie names the user, who is read by one prepared statement. */

const user = openDatabase(process.argv[2]).prepare(SELECT_USER)

const server = createServer((request, response) => {
  const found = user.get(cookieOf(request.headers.cookie ?? '', 'session'))
  const body = JSON.stringify(found ?? null)
  response.writeHead(found === undefined ? 401 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})

function cookieOf(header, name) {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}

server.listen(0, () => announce({ port: server.address().port }))
