/**
 * Shows users their sessions, and informs them of logins at new places.
 *
 * @example
 * ```ts
 * const sessions: SessionOptions = { devices: true }
 * ```
 */
export interface SessionOptions {
  /**
   * Users see and end their sessions, and are informed by mail and in the bell of a login at a
   * place that is not known. Each session then keeps the names of its browser and system and its
   * shortened network. Needs `mailer`. Without it, its routes do not exist. Default: false.
   */
  readonly devices?: boolean
}
