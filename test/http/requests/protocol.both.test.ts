import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freshAddress, type Browser } from '../../support/browser.ts'
import { startPanelHere, type TestPanel } from '../../support/panel.ts'
import { bytesOf, sendRaw, type RawAnswer } from '../../support/raw.ts'

type Lines = readonly (readonly [name: string, value: string])[]

const JSON_TYPE: Lines = [['Content-Type', 'application/json']]
const WRONG = JSON.stringify({ email: 'ada@example.com', password: 'wrong' })

let panel: TestPanel

beforeAll(async () => {
  panel = await startPanelHere()
})
afterAll(async () => panel.stop())

/** Returns the headers of a browser with a session of Ada, without `Host`. */
async function ada(): Promise<Lines> {
  const jar = panel.browser()
  expect((await jar.logIn('ada@example.com')).status).toBe(200)
  return linesOf(jar)
}

async function guest(at: TestPanel = panel): Promise<Lines> {
  const jar = at.browser()
  await jar.get('/svc/api/csrf-cookie')
  return linesOf(jar)
}

function linesOf(jar: Browser): Lines {
  return [
    ['Cookie', `svc_session=${jar.cookie('svc_session')}`],
    ['X-XSRF-TOKEN', jar.cookie('XSRF-TOKEN') ?? ''],
  ]
}

const HOST: Lines = [['Host', 'panel.test']]
const CLOSE: Lines = [['Connection', 'close']]
const USER = '/svc/api/user'
const LOGIN = '/svc/api/login'

const statuses = (answers: readonly RawAnswer[]): readonly number[] =>
  answers.map(({ status }) => status)

/** The panel answers others, whatever was done to it. */
async function answersOthers(): Promise<void> {
  const target = '/svc/api/csrf-cookie'
  const answers = await sendRaw(panel.url, bytesOf({ target, headers: [...HOST, ...CLOSE] }))
  expect(statuses(answers)).toEqual([204])
}

describe('Large bodies', () => {
  it.each([
    ['17 KiB', 17 * 1024, 17 * 1024],
    ['1 MB', 1_000_000, 1_000_000],
    ['1 GB that never comes', 1_000_000_000, 0],
  ])('INP-03: %s is 413 and ends the connection', async (_what, announced, sent) => {
    const headers: Lines = [
      ...HOST,
      ...JSON_TYPE,
      ...(await guest()),
      ['Content-Length', String(announced)],
    ]
    const head = bytesOf({ method: 'POST', target: LOGIN, headers })
    const answers = await sendRaw(panel.url, head + ' '.repeat(sent))
    expect(statuses(answers)).toEqual([413])
    expect(answers[0]?.headers['connection']).toBe('close')
    await answersOthers()
  })

  it('a short body that comes after the answer is not a request, and the connection goes on', async () => {
    const socket = open()
    const answered = async (): Promise<string> => String((await once(socket, 'data'))[0])
    const post: Lines = [...HOST, ...JSON_TYPE, ['Content-Length', '18']]
    socket.write(bytesOf({ method: 'POST', target: LOGIN, headers: post }))
    const refused = await answered()
    expect(refused).toMatch(/^HTTP\/1\.1 419 /)
    expect(refused).not.toMatch(/\r\nconnection: close/i)
    socket.write('GET / HTTP/1.1\r\n\r\n' + bytesOf({ target: USER, headers: HOST }))
    expect(await answered()).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  it('INP-03: endless chunks are cut off', async () => {
    const headers: Lines = [
      ...HOST,
      ...JSON_TYPE,
      ...(await guest()),
      ['Transfer-Encoding', 'chunked'],
    ]
    const before = process.memoryUsage().rss
    const head = bytesOf({ method: 'POST', target: LOGIN, headers })
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`
    expect(statuses(await sendRaw(panel.url, head + chunk.repeat(5)))).toEqual([413])
    const { written, said } = await pour(head, chunk)
    // A client that goes on sending may see a connection reset before it reads the answer.
    expect(said).toMatch(/^(?:HTTP\/1\.1 413 .*)?$/s)
    // More than a socket holds on its way would have to be kept by somebody.
    expect(written).toBeLessThan(10_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
    await answersOthers()
  })

  it('INP-24: a body that is too large gets no 100 Continue', async () => {
    const expectation = (size: string): string =>
      bytesOf({
        method: 'POST',
        target: LOGIN,
        headers: [...HOST, ...JSON_TYPE, ['Expect', '100-continue'], ['Content-Length', size]],
      })
    expect(statuses(await sendRaw(panel.url, expectation('1000000000')))).toEqual([413])
    const small = await sendRaw(
      panel.url,
      `${expectation('2').replace('\r\n', '\r\nConnection: close\r\n')}{}`,
    )
    expect(statuses(small)).toEqual([100, 419])
  })

  it('INP-24: another expectation is 417', async () => {
    const headers: Lines = [...HOST, ...CLOSE, ['Expect', 'foo']]
    expect(statuses(await sendRaw(panel.url, bytesOf({ target: USER, headers })))).toEqual([417])
  })
})

describe('Host', () => {
  it.each<[string, Lines, string]>([
    ['no Host', [], 'HTTP/1.1'],
    ['no Host, in HTTP/1.0', [], 'HTTP/1.0'],
    ['two', [...HOST, ['Host', 'evil.test']], 'HTTP/1.1'],
    ['two, the other way round', [['Host', 'evil.test'], ...HOST], 'HTTP/1.1'],
    ['two that are alike', [...HOST, ...HOST], 'HTTP/1.1'],
    ['another', [['Host', 'evil.test']], 'HTTP/1.1'],
    ['userinfo', [['Host', 'a@panel.test']], 'HTTP/1.1'],
    ['a blank', [['Host', 'panel.test evil.test']], 'HTTP/1.1'],
    ['a port that cannot be', [['Host', 'panel.test:99999']], 'HTTP/1.1'],
    ['the port that goes without saying', [['Host', 'panel.test:80']], 'HTTP/1.1'],
    ['nothing', [['Host', '']], 'HTTP/1.1'],
  ])('INP-19: %s does not reveal the session', async (_what, hosts, version) => {
    const session = await ada()
    const headers = [...hosts, ...session, ...CLOSE]
    const [answer] = await sendRaw(panel.url, bytesOf({ target: USER, headers, version }))
    expect([400, 401]).toContain(answer?.status)
    const right = bytesOf({ target: USER, headers: [...HOST, ...session, ...CLOSE] })
    expect(statuses(await sendRaw(panel.url, right))).toEqual([200])
  })

  it('INP-19: a request without a version reveals nothing', async () => {
    const answers = await sendRaw(panel.url, `GET ${USER}\r\n\r\n`)
    expect([400, 401]).toContain(answers[0]?.status)
  })
})

describe('Headers', () => {
  const cookies = Array.from({ length: 300 }, (_, index) => `c${index}=1`).join('; ')
  it.each<[string, Lines, ...number[]]>([
    ['a cookie of 17 KiB', [['Cookie', `a=${'b'.repeat(17 * 1024)}`]], 431],
    ['300 cookies', [['Cookie', cookies]], 401],
    ['2001 headers', Array.from({ length: 2001 }, () => ['a', '1'] as const), 401, 431],
    ['a header of 15 KiB', [['X-Long', 'b'.repeat(15 * 1024)]], 401],
  ])('INP-20: %s is answered, and so are other clients', async (_what, bomb, ...expected) => {
    const headers = [...HOST, ...CLOSE, ...bomb]
    const [status = 0, ...more] = statuses(
      await sendRaw(panel.url, bytesOf({ target: USER, headers })),
    )
    // Node 24 counts headers, and refuses more than 2000 of them before the service is asked.
    expect([expected.includes(status), more]).toEqual([true, []])
    await answersOthers()
  })

  const post = `POST ${LOGIN} HTTP/1.1\r\nHost: panel.test\r\nContent-Type: application/json\r\n`
  const smuggled = `GET ${USER} HTTP/1.1\r\nHost: panel.test\r\nConnection: close\r\n\r\n`
  it.each([
    [
      'a length and chunks',
      `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['an encoding nobody knows', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`],
    ['a negative length', `${post}Content-Length: -2\r\n\r\n{}`],
    ['a length with a sign', `${post}Content-Length: +5\r\n\r\n{}   `],
    [
      'a chunk that is too long to be',
      `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`,
    ],
    ['lines that end with LF alone', `GET ${USER} HTTP/1.1\nHost: panel.test\n\n`],
    ['a header on two lines', `GET ${USER} HTTP/1.1\r\nHost: panel.test\r\nX-A: a\r\n b\r\n\r\n`],
    ['a blank before the colon', `GET ${USER} HTTP/1.1\r\nHost : panel.test\r\n\r\n`],
    ['NUL in a header', `GET ${USER} HTTP/1.1\r\nHost: panel.test\r\nX-A: a\0b\r\n\r\n`],
  ])('INP-22: %s is 400, once, and ends the connection', async (_what, bytes) => {
    expect(statuses(await sendRaw(panel.url, bytes + smuggled))).toEqual([400])
  })
})

describe('Connections', () => {
  it('INP-25: pipelined logins are counted like others and answered in order', async () => {
    // Two, so that a machine that hashes slowly has no reason to refuse one.
    const own = await startPanelHere({ limits: { 'login.failed': { max: 2, window_seconds: 60 } } })
    onTestFinished(own.stop)
    let evaluations = 0
    own.auth.on('failed', () => (evaluations += 1))
    const headers = [...HOST, ...JSON_TYPE, ...(await guest(own))]
    const login = { method: 'POST', target: LOGIN, body: WRONG }
    const first = bytesOf({ ...login, headers }).repeat(19)
    const last = bytesOf({ ...login, headers: [...headers, ...CLOSE] })
    const answers = await sendRaw(own.url, first + last, freshAddress())
    const keys = answers.map(({ text }) => JSON.parse(text).key)
    expect(keys.slice(0, 10)).toEqual([
      ...Array.from({ length: 2 }, () => 'svc::auth.failed'),
      ...Array.from({ length: 8 }, () => 'svc::auth.throttle'),
    ])
    // One that is refused before its body has come ends the connection: what follows has no answer then.
    expect(new Set(keys.slice(10))).toEqual(new Set(['svc::auth.too_many_requests']))
    expect(evaluations).toBe(2)
  })

  it('INP-21: slow clients do not delay others', async () => {
    const headers = [...HOST, ...CLOSE, ...(await ada())]
    const slow = Array.from({ length: 250 }, () => dribble(`GET ${USER} HTTP/1.1\r\nX-A: `))
    const times: number[] = []
    for (let time = 0; time < 40; time += 1) {
      const started = performance.now()
      expect(statuses(await sendRaw(panel.url, bytesOf({ target: USER, headers })))).toEqual([200])
      times.push(performance.now() - started)
    }
    expect(times.toSorted((a, b) => a - b)[37]).toBeLessThan(500)
    for (const { socket } of slow) socket.destroy()
  })

  const long = process.env['TEST_LONG'] === '1'
  const later = long ? '' : ' (skipped: takes half a minute; npm run test:long)'
  it.skipIf(!long)(
    `INP-21: a client that sends header or body byte by byte is disconnected${later}`,
    {
      timeout: 40_000,
    },
    async () => {
      const lines = [...HOST, ...JSON_TYPE, ...(await guest()), ['Content-Length', '99'] as const]
      const started = performance.now()
      const [header, body] = [
        dribble(`GET ${USER} HTTP/1.1\r\nX-A: `),
        dribble(bytesOf({ method: 'POST', target: LOGIN, headers: lines })),
      ]
      await header.closed
      expect(performance.now() - started).toBeLessThan(15_000)
      expect(await body.closed).toMatch(/^HTTP\/1\.1 408 /)
      expect(performance.now() - started).toBeLessThan(30_000)
      await answersOthers()
    },
  )
})

interface Pouring {
  readonly written: number
  readonly said: string
}

/** Writes one piece after the other for as long as the other side lets it. */
async function pour(head: string, piece: string): Promise<Pouring> {
  const socket = open()
  let said = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (said += chunk))
  socket.write(head)
  const over = new Promise((resolve) => socket.on('close', resolve))
  while (!socket.closed && socket.bytesWritten < 100_000_000) {
    if (socket.write(piece)) await new Promise(setImmediate)
    else await Promise.race([over, new Promise((resolve) => socket.once('drain', resolve))])
  }
  socket.destroy()
  return { written: socket.bytesWritten, said }
}

/** Sends the start of a request and then a byte every second. `closed` is what was answered. */
function dribble(start: string): { socket: Socket; closed: Promise<string> } {
  const socket = open()
  let said = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (said += chunk))
  socket.write(start)
  const timer = setInterval(() => socket.write(' '), 1000)
  const closed = new Promise<string>((resolve) =>
    socket.on('close', () => {
      clearInterval(timer)
      resolve(said)
    }),
  )
  return { socket, closed }
}

function open(): Socket {
  const { hostname, port } = new URL(panel.url)
  // A server that lets go of a client resets the connection.
  return connect({ host: hostname, port: Number(port) }).on('error', () => undefined)
}
