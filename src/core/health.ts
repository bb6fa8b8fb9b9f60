import type { Awaitable } from '../contracts.ts'
import { times } from '../rules/limits.ts'

export interface HealthParts {
  /** Each resolves while its part works, and rejects otherwise. */
  readonly checks: readonly (() => Awaitable<void>)[]
}

/**
 * Makes the health check: every part has to answer in time. Calls at the same moment share one check, so that whoever
 * may ask cannot make the stores work for it.
 */
export function createHealth({ checks }: HealthParts): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  return () => {
    running ??= allInTime(checks).finally(() => (running = null))
    return running
  }
}

async function allInTime(checks: HealthParts['checks']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), times.healthSeconds * 1000)
  })
  try {
    // Together: one that hangs must not take the time of the others.
    return await Promise.race([late, all(checks)])
  } finally {
    clearTimeout(timer)
  }
}

async function all(checks: HealthParts['checks']): Promise<boolean> {
  const done = await Promise.allSettled(checks.map(async (check) => check()))
  return done.every(({ status }) => status === 'fulfilled')
}
