import { useCallback, useRef, useState } from 'react'
import { useIsOutdated } from './provider.tsx'

/** A part of the page in a file of its own, which may fail to load. */
export type Part<Content> =
  | { readonly state: 'loading' }
  | {
      readonly state: 'failed'
      /**
       * `again`: another attempt failed, too. `outdated`: the server has a newer version of the
       * page.
       */
      readonly failure: 'once' | 'again' | 'outdated'
      readonly retry: 'none' | 'running'
    }
  | {
      readonly state: 'loaded'
      readonly content: Content
      /** Number of failed attempts before. */
      readonly failures: number
    }

/** An attempt that takes longer counts as failed. */
const DEADLINE_MS = 20_000

/**
 * Loads a part of the page on demand.
 *
 * @param load Must keep its identity between renders.
 * @returns The part, and the function that loads it, first and after a failure. It never rejects.
 */
export function usePart<Content>(load: () => Promise<Content>) {
  const isOutdated = useIsOutdated()
  const [part, setPart] = useState<Part<Content>>({ state: 'loading' })
  const attempts = useRef({ latest: 0, failures: 0 })
  const fetchPart = useCallback(async () => {
    const { current } = attempts
    current.latest += 1
    const attempt = current.latest
    setPart((before) => (before.state === 'failed' ? { ...before, retry: 'running' } : before))
    try {
      const content = await withDeadline(load())
      setPart({ state: 'loaded', content, failures: current.failures })
    } catch (error) {
      reportError(error)
      const outdated = await isOutdated()
      // A later attempt replaces this one.
      if (attempt !== current.latest) return
      current.failures += 1
      const again = current.failures > 1 ? 'again' : 'once'
      setPart({ state: 'failed', failure: outdated ? 'outdated' : again, retry: 'none' })
    }
  }, [load, isOutdated])
  return [part, fetchPart] as const
}

async function withDeadline<Content>(loading: Promise<Content>): Promise<Content> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it took more than ${DEADLINE_MS / 1000} s`)),
      DEADLINE_MS,
    )
  })
  try {
    return await Promise.race([loading, late])
  } finally {
    clearTimeout(timer)
  }
}
