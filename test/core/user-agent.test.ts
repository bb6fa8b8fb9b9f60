import { describe, expect, it } from 'vitest'
import { browserOf } from '../../build/src/core/sessions/user-agent.js'
import { shortenedNetwork } from '../../build/src/core/sessions/shortened-network.js'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('The name of a browser', () => {
  it.each([
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    [
      'Chrome on Windows',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
    ],
    [
      'Edge on Windows',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    ],
    [
      'Opera on macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/137.0.0.0 Safari/537.36 OPR/121.0.0.0`,
    ],
    [
      'Safari on macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/18.5 Safari/605.1.15`,
    ],
    [
      'Safari on iOS',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI} Version/18.5 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Chrome on iOS',
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Firefox on iPadOS',
      `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${SAFARI} FxiOS/140.0 Mobile/15E148 Safari/604.1`,
    ],
    [
      'Chrome on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`,
    ],
    ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
    [
      'Samsung Internet on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    ],
    [
      'Chrome on ChromeOS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
    ],
    [
      'Internet Explorer on Windows',
      'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    ],
    [
      'Chrome on Linux',
      `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`,
    ],
  ])('is %s', (names, userAgent) => {
    const { browser, system } = browserOf(userAgent)
    expect(`${browser} on ${system}`).toBe(names)
  })

  it.each([
    ['no header', null],
    ['an empty header', ''],
    ['a program', 'curl/8.14.1'],
    ['markup', '<img src=x onerror=alert(1)>'],
    ['text behind the part that is read', `${'x'.repeat(600)} (X11; Linux) Firefox/140.0`],
  ])('is unknown for %s', (_, userAgent) => {
    expect(browserOf(userAgent)).toEqual({ browser: null, system: null })
  })

  it('contains no text of the client', () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux <b>x</b>) Firefox/<script>alert(1)</script>'
    expect(browserOf(userAgent)).toEqual({ browser: 'Firefox', system: 'Linux' })
  })
})

describe('The shortened network of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.x'],
    ['10.0.0.255', '10.0.0.x'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::/64', '2001:db8::/48'],
    ['2001:0:0:5::/64', '2001::/48'],
    ['::/64', '::1'],
  ])('is, of %s, %s', (network, shortened) => {
    expect(shortenedNetwork(network)).toBe(shortened)
  })

  it.each(['unknown', '', '203.0.113', '<b>'])('is unknown of "%s"', (network) => {
    expect(shortenedNetwork(network)).toBeNull()
  })
})
