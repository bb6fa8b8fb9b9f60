import type { TwoFactorAuthenticator } from '../../contracts/host.ts'
import type { TwoFactorDevice, TwoFactorDevices } from '../../contracts/two-factor-devices.ts'
import { types } from 'node:util'
import { sizes } from '../../rules/limits.ts'
import { imageSource } from '../second-factor/image-source.ts'
import { count, flag, listOf, nothing, onlyTrue, orNull, record, text } from './answers.ts'
import { atLeisure, inTime, optional, type Contract, type ReadAnswer } from './checked.ts'

function textUpTo(max: number): ReadAnswer<string> {
  return (answer, wrong) => {
    if (typeof answer === 'string' && answer !== '' && answer.length <= max) return answer
    throw wrong(`a text of 1 to ${max} characters`, answer)
  }
}

/** Reads an id that a route names: other characters and segments of dots reach no route. */
const deviceId: ReadAnswer<string> = (answer, wrong) => {
  const id = textUpTo(sizes.deviceIdCharacters)(answer, wrong)
  if (/^(?!\.\.?$)[\w.~-]+$/.test(id)) return id
  throw wrong('a text of A-Z, a-z, 0-9, _, ., ~ and -, other than . and ..', answer)
}

const image: ReadAnswer<string> = (answer, wrong) => {
  const source = imageSource(textUpTo(sizes.qrCodeCharacters)(answer, wrong))
  if (source !== null) return source
  throw wrong('an address or an SVG image', answer)
}

const recoveryCode = textUpTo(sizes.recoveryCodeCharacters)

const recoveryCodes: ReadAnswer<readonly string[]> = (answer, wrong) => {
  if (Array.isArray(answer) && answer.length > 0 && answer.length <= sizes.recoveryCodes)
    return answer.map((code) => recoveryCode(code, wrong))
  throw wrong(`1 to ${sizes.recoveryCodes} recovery codes`, answer)
}

/**
 * Reads the end of a grace period. Another value becomes an invalid date instead of an outage: it
 * ends the period, and users who have enabled the second factor are not affected.
 */
const graceEnd: ReadAnswer<Date | null> = (answer) => {
  if (answer === null) return null
  return new Date(types.isDate(answer) ? answer.getTime() : Number.NaN)
}

/** Any other behaviour than promised is an outage. @see docs/http-api.md, "Second factor" */
export const twoFactor: Contract<TwoFactorAuthenticator<unknown>> = {
  name: 'TwoFactorAuthenticator',
  nameCall: (method) => `the second factor's ${method}`,
  rows: {
    // Taking any other answer for false would skip the second factor.
    isEnabledFor: inTime(flag),
    isRequiredFor: inTime(flag),
    verify: inTime(onlyTrue),
    newSecret: inTime(textUpTo(sizes.secretCharacters)),
    qrCode: inTime(image),
    verifySetup: inTime(onlyTrue),
    enable: inTime(recoveryCodes),
    disable: inTime(nothing),
    erase: optional(inTime(nothing)),
    recoveryCodesLeft: optional(inTime(count)),
    checkReadable: optional(inTime(nothing)),
    requiredFrom: optional(inTime(graceEnd)),
    migrate: optional(atLeisure(orNull(record({ tables: text, from: count, to: count })))),
    ready: optional(atLeisure(nothing)),
  },
}

const pastTime: ReadAnswer<Date | null> = (answer, wrong) => {
  if (answer === null || (types.isDate(answer) && !Number.isNaN(answer.getTime()))) return answer
  throw wrong('a valid Date or null', answer)
}

/** The devices of users who have several. */
export const twoFactorDevices: Contract<TwoFactorDevices<unknown>> = {
  name: 'TwoFactorDevices',
  nameCall: (method) => `the second factor's devices.${method}`,
  rows: {
    list: inTime(
      listOf(
        record<TwoFactorDevice>({
          id: deviceId,
          name: orNull(text),
          addedAt: pastTime,
          lastUsedAt: pastTime,
        }),
      ),
    ),
    add: inTime(flag),
    remove: inTime(flag),
  },
}
