/** An option is invalid. The message names the key and the remedy; thrown at start only. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Other code read the request body before the service could. The message names the remedy. */
export class BodyConsumedError extends Error {
  override readonly name = 'BodyConsumedError'
}

/** A notification cannot be sent. The message names the reason. */
export class NotificationError extends Error {
  override readonly name = 'NotificationError'
}

/** A store is unreachable or returned malformed data. Never a refusal. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
