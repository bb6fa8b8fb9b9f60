import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { panelOfTest } from '../support/panel.ts'
import { LOGOUT } from '../support/paths.ts'
import { SESSION, TOKEN } from '../support/session-cookies.ts'

describe('A route of the reference panel', () => {
  it.each([
    ['/api/notifications', { title: 'Late' }],
    ['/api/people', { name: 'Zoe', email: 'zoe@example.com' }],
  ])('SES-27: %s does nothing by a body that arrives after the logout', async (path, fields) => {
    const panel = await panelOfTest()
    const ada = panel.browser()
    await ada.logIn('ada@example.com')
    const [first] = await panel.users.list()
    const body = JSON.stringify({ ...fields, to: first?.id })
    const slow = request(panel.url + path, {
      method: 'POST',
      headers: {
        origin: panel.origin,
        cookie: `${SESSION}=${ada.cookie(SESSION)}`,
        'x-xsrf-token': ada.cookie(TOKEN) ?? '',
        'content-type': 'application/json',
        'content-length': body.length,
      },
    })
    slow.write(body.slice(0, -1))
    // The guard has decided once later requests were answered.
    for (let sent = 0; sent < 3; sent += 1) await ada.get('/api/people')
    expect((await ada.copy().post(LOGOUT)).status).toBe(204)
    slow.end(body.slice(-1))
    const [answer] = await once(slow, 'response')
    expect(answer.statusCode, await text(answer)).toBe(401)
  })
})
