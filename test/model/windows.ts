import type { LimitName, ModelLimits } from './state.ts'

interface Window {
  number: number
  readonly endsAt: number
}

/** Counts attempts in windows of time. */
export class Windows {
  readonly #limits: ModelLimits
  readonly #now: () => number
  readonly #windows = new Map<string, Window>()

  constructor(limits: ModelLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Returns the window of a key; `null`: it has ended. */
  open(key: string): Window | null {
    const window = this.#windows.get(key)
    return window !== undefined && window.endsAt > this.#now() ? window : null
  }

  /** Counts one attempt; `granted` tells whether it may be made. */
  reserve(name: LimitName, ...who: readonly string[]) {
    const { max, windowSeconds } = this.#limits[name]
    const key = [name, ...who].join(' ')
    const window = this.open(key) ?? { number: 0, endsAt: this.#now() + windowSeconds * 1000 }
    window.number += 1
    this.#windows.set(key, window)
    return {
      key,
      granted: window.number <= max,
      number: window.number,
      remaining: Math.max(0, max - window.number),
      retryAfter: Math.max(1, Math.ceil((window.endsAt - this.#now()) / 1000)),
    }
  }

  release(...keys: readonly string[]): void {
    for (const key of keys) {
      const window = this.open(key)
      if (window !== null) window.number = Math.max(0, window.number - 1)
    }
  }

  delete(key: string): void {
    this.#windows.delete(key)
  }
}
