import * as v from 'valibot'
import { isLink, isSitePath } from './addresses.ts'
import { describeText } from './describe.ts'
import { flag, group, whole } from './option-types.ts'

/** The key `spa` of the configuration. */
export const spa = group('{ off: true }', {
  off: v.optional(flag(), false),
  name: v.optional(
    v.pipe(v.string(), v.minLength(1, 'is empty; give the name of the panel, or leave it out')),
    'Panel',
  ),
  pages: v.optional(
    address(isSitePath, 'a path of this site that begins with one slash, like "/pages.js"'),
  ),
  links: v.optional(
    group('{ help: "https://help.example.com" }', {
      help: v.optional(address(isLink, 'a complete URL, like https://help.example.com')),
      change_password: v.optional(pageAddress('https://id.example.com/password')),
      reset_password: v.optional(pageAddress('https://id.example.com/reset')),
    }),
    {},
  ),
  code_digits: v.optional(
    v.pipe(
      whole({ of: 'digits', max: 12 }),
      v.minValue(4, ({ input }) => `is ${input} digits; it must be at least 4 digits`),
    ),
  ),
})

/** Returns the rule for the address of a page of the host. */
function pageAddress(example: string) {
  return address(
    (text) => isSitePath(text) || isLink(text),
    `a complete URL, like ${example}, or a path of this site`,
  )
}

function address(isAccepted: (text: string) => boolean, expected: string) {
  return v.pipe(
    v.string(),
    v.check(isAccepted, ({ input }) => `${describeText(input)}; it must be ${expected}`),
  )
}
