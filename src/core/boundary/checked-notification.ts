import { NotificationError } from '../../contracts/errors.ts'
import type { BellData, Notification } from '../../contracts/host.ts'
import { isObject, listOf, text } from './answers.ts'
import { atOnce, contractOf, optional, type Contract, type ReadAnswer } from './checked.ts'

const bellData: ReadAnswer<BellData> = (answer, wrong) => {
  if (isObject(answer) && !('then' in answer)) return answer as BellData
  throw wrong('an entry, like { title }', answer, 'return it at once, not async')
}

/** A notification of the host, whose methods are called when it is sent. */
export const notification: Contract<Notification<unknown>> = {
  ...contractOf<Notification<unknown>>('Notification', (method) => method, {
    via: atOnce(listOf(text)),
    toDatabase: optional(atOnce(bellData)),
  }),
  fault: (message) => new NotificationError(message),
}
