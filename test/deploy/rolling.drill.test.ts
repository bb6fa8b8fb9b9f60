import { Agent, request } from 'node:https'
import { describe, expect, it } from 'vitest'
import { tally } from '../support/verdicts.ts'
import { proxies } from './proxies.ts'
import { SECRET, SESSION, startDeployed, type Deployed } from './deployed.ts'

const BEA = 'bea@example.com'
/** The least that are sent, however fast the machine is, and the nodes that are replaced meanwhile. */
const POSTS = 10_000
const REPLACED = 2
const AT_ONCE = 16

// nginx learns of a node by failing to connect, and then asks the other one: nothing was sent yet.
describe.each(Object.keys(proxies))('Nodes that are replaced behind %s', (name) => {
  it(`lose none of ${POSTS} POSTs over kept connections`, { timeout: 600_000 }, async () => {
    const deployed = await startDeployed(name)
    const bea = deployed.browser()
    expect((await bea.logIn(BEA, SECRET)).status).toBe(200)
    const post = poster(deployed, {
      cookie: ['XSRF-TOKEN', SESSION].map((one) => `${one}=${bea.cookie(one)}`).join('; '),
      'x-xsrf-token': bea.cookie('XSRF-TOKEN') ?? '',
      origin: deployed.origin,
    })
    const outcomes: string[] = []
    let restarts = 0
    const isEnough = () => outcomes.length >= POSTS && restarts >= REPLACED
    const work = Array.from({ length: AT_ONCE }, async () => {
      while (!isEnough()) outcomes.push(await post())
    })
    await replaceInTurn(deployed, isEnough, () => (restarts += 1))
    await Promise.all(work)
    console.info(`${outcomes.length} POSTs, ${restarts} nodes replaced`)
    expect(tally(outcomes), deployed.proxy.errors()).toEqual({ 200: outcomes.length })
  })
})

/** Replaces one node after the other until it is enough, and reports each. */
async function replaceInTurn(
  { nodes, ports, restart }: Deployed,
  isEnough: () => boolean,
  onReplaced: () => void,
): Promise<void> {
  const running = [...nodes]
  for (let turn = 0; !isEnough(); turn += 1) {
    const at = turn % running.length
    expect(await running[at]?.end('SIGTERM')).toBe(0)
    running[at] = await restart(ports[at] ?? 0)
    onReplaced()
    // The proxies learn by asking that it is back, or forget after five seconds that it was away.
    await new Promise((resolve) => setTimeout(resolve, 6000))
  }
}

function poster(
  { origin, connecting }: Deployed,
  headers: Readonly<Record<string, string>>,
): () => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const url = new URL('/svc/api/notifications/read-all', origin)
  return async () =>
    new Promise((resolve) => {
      const sent = request(url, { method: 'POST', agent, headers, ...connecting }, (response) => {
        response.resume()
        response.on('end', () => resolve(String(response.statusCode)))
      })
      sent.on('error', ({ message }) => resolve(message))
      sent.end()
    })
}
