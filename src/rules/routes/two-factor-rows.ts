import * as v from 'valibot'
import {
  body,
  choice,
  codeEntry,
  count,
  instant,
  setUpAnswer,
  setUpExample,
} from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

const device = v.strictObject({
  id: v.string(),
  name: v.nullable(v.string()),
  added_at: v.nullable(instant),
  last_used_at: v.nullable(instant),
})

const twoFactorStatus = v.strictObject({
  enabled: v.boolean(),
  required: v.boolean(),
  pending: v.boolean(),
  codes_unseen: v.boolean(),
  required_in_days: v.exactOptional(count),
  recovery_codes_left: v.exactOptional(count),
  devices: v.exactOptional(v.array(device)),
})

const ofTwoFactor = { access: 'security', layer: 'two-factor', tag: 'two-factor' } as const

/** The routes of the security page. */
export const twoFactorRows = {
  'two-factor': {
    ...ofTwoFactor,
    answer: twoFactorStatus,
    summary: 'Show the state of the second factor',
    description:
      'Returns whether the second factor is enabled and required, whether a set-up waits for its first code, whether the recovery codes still have to be confirmed as saved, and how many are left. Lists the devices of the user where a user may have several.',
    success: 'The state of the second factor.',
    answerExample: {
      enabled: true,
      required: false,
      pending: false,
      codes_unseen: false,
      recovery_codes_left: 8,
    },
  },
  'two-factor.setup': {
    ...ofTwoFactor,
    confirmed: 'two-factor',
    request: v.optional(body({ fresh: choice })),
    answer: setUpAnswer,
    summary: 'Start the set-up of the second factor',
    description:
      'Returns a secret that the session keeps for ten minutes. Another request returns the same secret unless `fresh` is true.',
    success: 'The secret, and its QR code for an authenticator app.',
    requestExample: { fresh: true },
    answerExample: setUpExample,
  },
  'two-factor.confirm': {
    ...ofTwoFactor,
    confirmed: 'two-factor',
    request: codeEntry,
    answer: v.strictObject({ recovery_codes: v.array(v.string()) }),
    cookies: 'SessionCookies',
    summary: 'Finish the set-up with the first code',
    description:
      'Enables the second factor and ends the other sessions of the user. Only this response contains the recovery codes.',
    success: 'The second factor is enabled.',
    requestExample: { code: '123456' },
    answerExample: { recovery_codes: ['k7dm2-9xqpt', 'w3hzr-5bnfc'] },
  },
  'two-factor.codes-seen': {
    ...ofTwoFactor,
    summary: 'Confirm that the recovery codes are saved',
    description:
      'Sets `codes_unseen` to false. It is true from the time at which the codes were issued.',
    success: 'The confirmation is stored.',
  },
  'two-factor.disable': {
    ...ofTwoFactor,
    confirmed: 'two-factor',
    cookies: 'SessionCookies',
    summary: 'Turn the second factor off',
    description: 'Ends the other sessions of the user. Refused if the second factor is required.',
    success: 'The second factor is off. It may have been off before.',
  },
} satisfies Readonly<Record<string, WrittenRow>>
