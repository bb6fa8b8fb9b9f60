import * as v from 'valibot'
import { keyCharacters } from '../rules/limits.ts'
import { describeGiven, quotesFault } from './describe.ts'
import { entropyOf } from './key-entropy.ts'

const MAKE_ONE = 'as `npx svc key generate` or `openssl rand -base64 32` makes them'
/** 32 random digits have 106 bits, of which chance takes some; 32 hexadecimal ones have 128. */
const MIN_BITS = 80

/** A key of `app.keys`. */
export const appKey = v.pipe(
  v.string(({ input }) => shortKey(input)),
  v.minLength(keyCharacters, ({ input }) => shortKey(input)),
  v.check(
    (key) => key.length < keyCharacters || keyFault(key) === null,
    ({ input }) => keyFault(input) ?? '',
  ),
)

/** Describes a key that is not a text or too short, without repeating it. */
function shortKey(key: unknown): string {
  if (typeof key === 'string' && key !== '')
    return `is too short; give at least 32 random characters, ${MAKE_ONE}`
  if (key instanceof Uint8Array) return "is a list of bytes; give a text, as of toString('base64')"
  return `${describeGiven(key)}; is the variable of the environment set, as by node --env-file=.env? Give at least 32 random characters, ${MAKE_ONE}`
}

/** Returns why a key of sufficient length is refused, without repeating it; `null`: it is good. */
function keyFault(key: string): string | null {
  if (PLACEHOLDER.test(key) || entropyOf(key) < MIN_BITS)
    return `can be guessed; give random characters, ${MAKE_ONE}`
  if (key !== key.trim())
    return 'has white space around it, which another node may not have; trim it'
  if (key.split(',').every((part) => part.length >= 32) && key.includes(','))
    return "is several keys with a comma between them; give a list, as of .split(',')"
  return quotesFault(key)
}

const PLACEHOLDER =
  /change.?me|super.?secret|secret.?key|my.?secret|password|replace.?(?:me|this)|your.?(?:app.?)?(?:key|secret)|placeholder|openssl|process\.env|\$[({]/i
