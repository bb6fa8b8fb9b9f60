import * as v from 'valibot'
import { flag, group, whole } from './option-types.ts'

/** Nobody misses a session or a device for longer than three months. */
const MAX_DAYS = 90

const lifetime = group('{ days: 30 }', { days: whole({ of: 'days', max: MAX_DAYS }) })

/** The key `sessions` of the options. */
export const sessionOptions = group('{ devices: true }', {
  devices: v.optional(flag()),
  remember: v.optional(lifetime),
  trusted: v.optional(lifetime),
})
