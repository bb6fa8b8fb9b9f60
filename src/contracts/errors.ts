import { MAX_DEPTH, withoutValues } from './driver-errors.ts'

/**
 * An option is invalid. The message names the key and the remedy; thrown at start only.
 *
 * @example
 * ```ts
 * try {
 *   await auth.ready()
 * } catch (error) {
 *   if (!(error instanceof ConfigError)) throw error
 *   console.error(error.message)
 *   process.exitCode = 1
 * }
 * ```
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Other code read the request body before the service could. The message names the remedy.
 *
 * @example
 * ```ts
 * async function bodyOf(request: Request): Promise<Uint8Array> {
 *   if (request.bodyUsed) throw new BodyConsumedError('mount the service before the body parser')
 *   return new Uint8Array(await request.arrayBuffer())
 * }
 * ```
 */
export class BodyConsumedError extends Error {
  override readonly name = 'BodyConsumedError'
}

/**
 * A notification cannot be sent. The message names the reason.
 *
 * @example
 * ```ts
 * async function send(user: User, notification: Notification<User>): Promise<void> {
 *   try {
 *     await auth.notify(user, notification)
 *   } catch (error) {
 *     if (!(error instanceof NotificationError)) throw error
 *     console.warn(error.message)
 *   }
 * }
 * ```
 */
export class NotificationError extends Error {
  override readonly name = 'NotificationError'
}

/**
 * A user cannot be invited. The message names the reason.
 *
 * @example
 * ```ts
 * async function invite(user: User): Promise<string> {
 *   try {
 *     await auth.invite(user)
 *     return 'The invitation is on its way.'
 *   } catch (error) {
 *     if (error instanceof InvitationError) return error.message
 *     throw error
 *   }
 * }
 * ```
 */
export class InvitationError extends Error {
  override readonly name = 'InvitationError'
}

/**
 * A store is unreachable or returned malformed data. Never a refusal.
 *
 * @example
 * ```ts
 * async function query<Row>(sql: string): Promise<Row | null> {
 *   try {
 *     return await db.first<Row>(sql)
 *   } catch (cause) {
 *     throw new StoreError('the database could not be reached', { cause })
 *   }
 * }
 * ```
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/**
 * Returns the reason of an error as one line for a log, without the statements and parameters of
 * drivers. They leave messages empty and hide the reason in the cause.
 */
export function reasonOfError(error: unknown): string {
  return reasonOf(withoutValues(error), MAX_DEPTH)
}

function reasonOf(error: Error, depth: number): string {
  const text = error.message || ('code' in error ? String(error.code) : error.name)
  const { cause } = error
  if (cause === undefined || depth === 0) return text
  const reason = cause instanceof Error ? reasonOf(cause, depth - 1) : reasonOfError(cause)
  return text.includes(reason) ? text : `${text}: ${reason}`
}
