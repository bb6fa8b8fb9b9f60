import type { TwoFactorAuthenticator } from '../../contracts/host.ts'
import { sizes } from '../../rules/limits.ts'
import { imageSource } from '../second-factor/image-source.ts'
import { count, flag, nothing, onlyTrue, orNull, record, text } from './answers.ts'
import { atLeisure, inTime, optional, type Contract, type Read } from './checked.ts'

function textUpTo(max: number): Read<string> {
  return (answer, wrong) => {
    if (typeof answer === 'string' && answer !== '' && answer.length <= max) return answer
    throw wrong(`a text of 1 to ${max} characters`, answer)
  }
}

const image: Read<string> = (answer, wrong) => {
  const source = imageSource(textUpTo(sizes.qrCodeCharacters)(answer, wrong))
  if (source !== null) return source
  throw wrong('an address or an SVG image', answer)
}

const recoveryCode = textUpTo(sizes.recoveryCodeCharacters)

const recoveryCodes: Read<readonly string[]> = (answer, wrong) => {
  if (Array.isArray(answer) && answer.length > 0 && answer.length <= sizes.recoveryCodes)
    return answer.map((code) => recoveryCode(code, wrong))
  throw wrong(`1 to ${sizes.recoveryCodes} recovery codes`, answer)
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
    recoveryCodesLeft: optional(inTime(count)),
    migrate: optional(atLeisure(orNull(record({ tables: text, from: count, to: count })))),
  },
}
