/**
 * Origin of the panel for browsers; in production, a proxy terminates TLS in front of the servers.
 */
export const ORIGIN = 'https://panel.localhost'

/** Returns the bytes of `GET /svc/api/user` as a browser's fetch sends them. */
export function getUser(cookie) {
  return Buffer.from(headOf('GET /svc/api/user', [`Cookie: ${cookie}`]))
}

const FILLED = 'bench-session-'
/** The length of every session id. */
const ID_CHARACTERS = 43

/** The ids of the sessions that a bench fills a store with: this text, then the digits of a number. */
export const filledIds = { text: FILLED, digits: ID_CHARACTERS - FILLED.length }

/** Returns the id of a filled session. */
export function filledId(number) {
  return FILLED + String(number).padStart(filledIds.digits, '0')
}

/** Returns a function that makes the request of `getUser`, each time of another filled session. */
export function getAnyUser(cookie, sessions) {
  const [before, after] = cookie.split(/(?<=svc_session=)[\w-]+/)
  const [head, tail] = getUser(`${before}\0${after}`).toString('latin1').split('\0')
  return () => {
    const number = 1 + Math.floor(Math.random() * sessions)
    return Buffer.from(head + filledId(number) + tail, 'latin1')
  }
}

/** Returns the bytes of a failing login, with another email each time. */
export function failingLogin(guest, number) {
  return login(guest, `nobody-${number}@example.com`)
}

/** Returns the bytes of a login with a wrong password. */
export function login({ cookie, token }, email) {
  const body = JSON.stringify({ email, password: 'wrong' })
  const more = [
    `Cookie: ${cookie}`,
    `X-XSRF-TOKEN: ${token}`,
    `Origin: ${ORIGIN}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return Buffer.from(headOf('POST /svc/api/login', more) + body)
}

/** Returns the head of a request as a browser's fetch sends it. */
export function headOf(
  start,
  more,
  { accept = 'application/json', languages = 'en-US,en;q=0.9' } = {},
) {
  const lines = [
    `${start} HTTP/1.1`,
    `Host: ${new URL(ORIGIN).host}`,
    'Connection: keep-alive',
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    `Accept: ${accept}`,
    'Accept-Encoding: gzip, deflate, br, zstd',
    `Accept-Language: ${languages}`,
    `Referer: ${ORIGIN}/admin/main`,
    'Sec-Fetch-Dest: empty',
    'Sec-Fetch-Mode: cors',
    'Sec-Fetch-Site: same-origin',
    ...more,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
