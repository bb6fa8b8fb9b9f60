import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainRequest } from '../../support/plain-request.ts'
import { startService, type TestService } from '../../support/service.ts'

const TLS = 'https://panel.example.test'
const SESSION = '__Host-Http-svc_session'

/**
 * The cookies of a `Cookie` header, in their order, as RFC 6265 has them: section 4.2.1 for the form, section 5.2,
 * steps 1 to 5, for the white space, which is space and horizontal tab alone.
 */
function referenceCookies(header: string): readonly (readonly [name: string, value: string])[] {
  const pairs: [string, string][] = []
  let [name, value, isName] = ['', '', true]
  for (const character of `${header};`) {
    if (character === ';') {
      if (!isName) pairs.push([stripped(name), stripped(value)])
      ;[name, value, isName] = ['', '', true]
    } else if (isName && character === '=') isName = false
    else if (isName) name += character
    else value += character
  }
  return pairs
}

function stripped(text: string): string {
  const characters = text.split('')
  while (characters[0] === ' ' || characters[0] === '\t') characters.shift()
  while (characters.at(-1) === ' ' || characters.at(-1) === '\t') characters.pop()
  return characters.join('')
}

describe('The session cookie of a request', () => {
  let service: TestService
  let id = ''

  async function logIn(): Promise<void> {
    service = await startService({ appUrl: TLS })
    const una = service.browser()
    expect((await una.logIn('u1@x.test')).status).toBe(200)
    id = una.cookie(SESSION) ?? ''
  }

  async function isLoggedIn(cookie: string): Promise<boolean> {
    const headers = { host: new URL(TLS).host, origin: TLS, cookie }
    const { status } = await service.auth.handle(plainRequest({ target: '/svc/api/user', headers }))
    expect([200, 401]).toContain(status)
    return status === 200
  }

  /** Returns whether the reference parser finds the session cookie once, with the session's id. */
  function isExpected(cookie: string): boolean {
    const values = referenceCookies(cookie).filter(([name]) => name === SESSION)
    return values.length === 1 && values[0]?.[1] === id
  }

  it('is found by its exact name, whatever character stands around name and value', async () => {
    await logIn()
    expect(await isLoggedIn(`${SESSION}=${id}`)).toBe(true)
    const wrong: string[] = []
    for (let code = 0; code <= 0xff; code += 1) {
      const character = String.fromCharCode(code)
      for (const cookie of [
        `${character}${SESSION}=${id}`,
        `${SESSION}${character}=${id}`,
        `${SESSION}=${character}${id}`,
        `${SESSION}=${id}${character}`,
        `a=b;${character}${SESSION}=${id}`,
        `${SESSION}=${id}${character};a=b`,
        `${SESSION}=${id}; ${character}${SESSION}=${'A'.repeat(43)}`,
      ]) {
        if ((await isLoggedIn(cookie)) !== isExpected(cookie)) wrong.push(cookie)
      }
    }
    expect(wrong).toEqual([])
  })

  it('is found exactly where a strict parser of RFC 6265 finds it once', async () => {
    await logIn()
    const blank = fc.constantFrom(
      '',
      '',
      ' ',
      '\t',
      ' \t ',
      '\u00a0',
      '\u000b',
      '\u000c',
      '\u0085',
      '\ufeff',
    )
    const name = fc.constantFrom(SESSION, SESSION, SESSION.toLowerCase(), 'svc_session', '', 'a')
    const value = fc.constantFrom(id, id, 'A'.repeat(43), '', `"${id}"`, `${id}=`, 'b')
    const assign = fc.constantFrom('=', '=', '', '==')
    const pair = fc
      .tuple(blank, name, blank, assign, blank, value, blank)
      .map((parts) => parts.join(''))
    const header = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join(';'))
    await fc.assert(
      fc.asyncProperty(header, async (cookie) => {
        expect(await isLoggedIn(cookie), JSON.stringify(cookie)).toBe(isExpected(cookie))
      }),
      { numRuns: 2000 },
    )
  })

  it('is read in linear time from a header of blanks', async () => {
    await logIn()
    const blanks = ' '.repeat(500_000)
    expect(await isLoggedIn(`a${blanks}b=${blanks}c; ${SESSION}=${id}`)).toBe(true)
  })
})
