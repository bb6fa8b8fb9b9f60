import * as v from 'valibot'
import { sizes } from '../limits.ts'
import { body, codeEntry, plain, setUpAnswer, setUpExample } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

const firstCode = body({
  ...codeEntry.entries,
  name: v.pipe(plain('svc::auth.field.device.required', sizes.deviceNameCharacters), v.trim()),
})

const ofDevices = { access: 'security', layer: 'two-factor-devices', tag: 'two-factor' } as const

/** The routes of users who have several devices for codes. */
export const deviceRows = {
  'two-factor.devices.begin': {
    ...ofDevices,
    limit: 'two-factor.setup',
    request: codeEntry,
    answer: setUpAnswer,
    summary: 'Start the set-up of a further device',
    description:
      'Needs a code of a device that the user has, or a recovery code. Returns a secret that the session keeps for ten minutes. A user may have five devices.',
    success: 'The secret, and its QR code for an authenticator app.',
    requestExample: { code: '123456' },
    answerExample: setUpExample,
  },
  'two-factor.devices.confirm': {
    ...ofDevices,
    limit: 'two-factor.confirm',
    request: firstCode,
    summary: 'Add the device with its first code',
    description: 'Its codes log in from now on, each once. The first one does not.',
    success: 'The device is added.',
    requestExample: { code: '123456', name: 'Tablet' },
  },
  'two-factor.devices.remove': {
    ...ofDevices,
    limit: 'two-factor.disable',
    request: codeEntry,
    summary: 'Remove a device',
    description:
      'Needs a code of a device that the user has, or a recovery code. The last device cannot be removed.',
    success: 'The device is removed. Its codes are refused.',
    requestExample: { code: '123456' },
  },
} satisfies Readonly<Record<string, WrittenRow>>
