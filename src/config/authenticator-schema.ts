import * as v from 'valibot'
import { twoFactor, twoFactorDevices } from '../core/boundary/two-factor-contract.ts'
import { implementing } from './host-parts.ts'

const devicesSchema = implementing(twoFactorDevices)

/** Describes the option `twoFactor`. */
export const authenticatorSchema = v.pipe(
  implementing(twoFactor),
  v.check(
    ({ devices }) => devices === undefined || v.is(devicesSchema, devices),
    'devices must have the methods list, add and remove, or be left out',
  ),
)
