import type { CheckedHost } from '../../core/boundary/checked-host.ts'
import { reasonOfError } from '../../contracts/errors.ts'
import { printable } from '../../rules/printable.ts'
import { failed, ok, type Check } from '../output/check.ts'

const SUBJECT = 'Test mail of svc doctor'
const TEXT = 'The mailer of this service works.'

/** Sends a test mail, as the service sends mails. */
export async function checkMail(mailer: CheckedHost['mailer'], to: string): Promise<Check> {
  if (mailer === null) return failed('test mail', 'no mailer is bound: give `mailer`')
  const message = { to, subject: SUBJECT, text: `${TEXT}\n`, html: `<p>${TEXT}</p>` }
  try {
    await mailer.send(message)
  } catch (error) {
    return failed('test mail', `${replyOf(error)}; correct the mailer`)
  }
  return ok('test mail', `the mailer has accepted it for ${to}`)
}

/** Returns what the mail server has replied. This mail has nothing that the reply could repeat. */
function replyOf(error: unknown): string {
  const { response } = Object(error) as { readonly response?: unknown }
  return typeof response === 'string' ? printable(response) : reasonOfError(error)
}
