import type { Impersonation } from '../../contracts/impersonation.ts'
import { onlyTrue } from './answers.ts'
import { inTime, type Contract } from './checked.ts'

export const impersonation: Contract<Impersonation<unknown>> = {
  name: 'Impersonation',
  nameCall: (method) => `impersonation.${method}`,
  rows: { allows: inTime(onlyTrue) },
}
