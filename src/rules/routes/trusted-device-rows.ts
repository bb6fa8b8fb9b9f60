import * as v from 'valibot'
import { instant, placeExample, placeFields } from './body-schemas.ts'
import type { WrittenRow } from './row.ts'

const trustedDevices = v.strictObject({
  data: v.array(
    v.strictObject({
      id: v.string(),
      current: v.boolean(),
      ...placeFields,
      created_at: instant,
      expires_at: instant,
    }),
  ),
})

const ofTrustedDevices = {
  access: 'security',
  layer: 'trusted-devices',
  tag: 'trusted-device',
} as const

/** The routes of the trusted devices, which exist while the host binds them. */
export const trustedDeviceRows = {
  'trusted-devices': {
    ...ofTrustedDevices,
    answer: trustedDevices,
    summary: 'List the trusted devices of the user',
    description: 'Returns the browsers in which no code is asked for, the latest first.',
    success: 'The devices. `current` marks the browser of this request.',
    answerExample: {
      data: [
        {
          id: '4f6c1d0a9b3e',
          current: true,
          ...placeExample,
          created_at: '2026-11-20T09:30:00.000Z',
          expires_at: '2026-12-20T09:30:00.000Z',
        },
      ],
    },
  },
  'trusted-devices.end': {
    ...ofTrustedDevices,
    summary: 'Stop trusting a device',
    description: 'The next login in this browser needs a code again. Its sessions go on.',
    success: 'The device is no longer trusted.',
  },
} satisfies Readonly<Record<string, WrittenRow>>
