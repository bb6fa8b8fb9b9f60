/**
 * Shows users their sessions, informs them of logins at new places, and offers them sessions and
 * devices that last longer.
 *
 * @example
 * ```ts
 * const sessions: SessionOptions = {
 *   devices: true,
 *   remember: { days: 30 },
 *   trusted: { days: 30 },
 * }
 * ```
 */
export interface SessionOptions {
  /**
   * Users see and end their sessions, and are informed by mail and in the bell of a login at a
   * place that is not known. Each session then keeps the names of its browser and system and its
   * shortened network. Needs `mailer`. Without it, its routes do not exist. Default: false.
   */
  readonly devices?: boolean
  /**
   * The login offers to stay logged in when the browser closes. Such a session ends after so many
   * days, from 1 to 90, whether it is used or not. Needs `devices`. Default: none.
   */
  readonly remember?: { readonly days: number }
  /**
   * The code step offers to ask for no code in this browser for so many days, from 1 to 90. Needs
   * `devices` and `twoFactor`. Default: none.
   */
  readonly trusted?: { readonly days: number }
}
