import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalEmail } from '../../build/src/contracts/email-address.js'

describe('The canonical form of an email address', () => {
  it('is its own canonical form', () => {
    const special = fc.constantFrom(
      ...Array.from('@@@..。．aAİıßẞKÅΣς\u030c\u0301\u0345\u00a0\ufeff\u2028 \t/%#?\\xn--ü'),
      'J\u030c',
      '\u1fbe\u0345',
    )
    const unit = fc.oneof(special, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
    const email = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''))
    fc.assert(
      fc.property(email, (text) => {
        const form = canonicalEmail(text)
        expect(canonicalEmail(form), JSON.stringify(text)).toBe(form)
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['a capital that composes in lower case only', 'J\u030c@x.test', '\u01f0@x.test'],
    ['two dots at the end', 'a@x.test..', 'a@x.test'],
    ['an ideographic full stop at the end', 'a@x.test\u3002', 'a@x.test'],
    ['blanks behind the domain', ' a@X.test. ', 'a@x.test'],
    ['a domain beyond ASCII', 'a@Bücher.test', 'a@xn--bcher-kva.test'],
  ])('takes away %s', (_what, email, form) => {
    expect(canonicalEmail(email)).toBe(form)
  })
})
