/** Opens connections with the settings of the host's client. They belong to the stores. */
export interface RedisDriver {
  readonly isCluster: boolean
  /**
   * Connects a client for commands. It neither reconnects nor sends a command twice.
   *
   * @param signal Closes every socket of the client immediately when aborted, also while it
   *   connects.
   * @param onClose Called when the client has become unusable.
   */
  connect(signal: AbortSignal, onClose: () => void): Promise<RedisScripts>
  /** Connects a client that subscribes to one channel of one node; otherwise as `connect`. */
  subscribe(
    signal: AbortSignal,
    channel: string,
    listeners: SubscriberListeners,
  ): Promise<RedisSubscriber>
}

export interface RedisScripts {
  eval(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
  evalSha(sha: string, keys: readonly string[], args: readonly string[]): Promise<unknown>
}

export interface RedisSubscriber {
  ping(): Promise<unknown>
}

export interface SubscriberListeners {
  readonly onMessage: (message: string) => void
  readonly onClose: () => void
}
