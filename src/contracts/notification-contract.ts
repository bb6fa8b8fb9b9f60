/** The content of a notification in the bell; text, never HTML. */
export interface BellData {
  readonly title: string
  readonly body?: string | null
  /** `https:`, `http:` or a path of this site. Opened when the user clicks the entry. */
  readonly url?: string | null
}

/**
 * A message to a user, over the channels that it names.
 *
 * @example
 * ```ts
 * const orderShipped = (order: string): Notification<User> => ({
 *   type: 'order-shipped',
 *   via: () => ['database'],
 *   toDatabase: () => ({ title: `Order ${order} has shipped`, url: `/orders/${order}` }),
 * })
 * ```
 */
export interface Notification<User> {
  /** The kind of notification, stored with the entry. */
  readonly type: string
  /** Returns the channels: `database` is the bell, others are the host's channels by name. */
  via(user: User): readonly string[]
  /** Returns the bell entry. Required when `via` names `database`. */
  toDatabase?(user: User): BellData
}

/**
 * Delivers notifications over a channel of the host.
 *
 * @example
 * ```ts
 * const chat: NotificationChannel<User> = async (user, { type }) => {
 *   await fetch('https://chat.example.com/hook', { method: 'POST', body: `${user.name}: ${type}` })
 * }
 * ```
 */
export type NotificationChannel<User> = (
  user: User,
  notification: Notification<User>,
) => Promise<void>
