import { createServer } from 'node:http'

/** Answers with the cookie's user, with the least possible overhead. */
export function serveUser(find, announce) {
  const server = createServer((request, response) => void answer(request, response))

  async function answer(request, response) {
    const found = await find(sessionOf(request.headers.cookie ?? ''))
    const body = JSON.stringify(found ?? null)
    response.writeHead(found === undefined ? 401 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  }

  server.listen(0, () => announce({ port: server.address().port }))
}

export function sessionOf(header) {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === 'session') return pair.slice(at + 1).trim()
  }
  return ''
}
