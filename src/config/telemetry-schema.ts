import type { Telemetry } from '../contracts/telemetry.ts'
import { nothing } from '../core/boundary/answers.ts'
import { atOnce, contractOf, optional } from '../core/boundary/checked.ts'

/** The methods of telemetry. The meter drops their failures, so their answers are not checked. */
export const telemetry = contractOf<Telemetry>('Telemetry', 'the telemetry', {
  add: atOnce(nothing),
  record: atOnce(nothing),
  gauge: atOnce((answer) => answer as () => void),
  span: optional(atOnce((answer) => answer)),
  isLeftOut: optional(atOnce((answer) => answer === true)),
})
