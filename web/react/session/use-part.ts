import { useCallback, useRef, useState } from 'react'
import { useRelease } from './provider.tsx'

/** A part of the page in a file of its own, which may fail to load. */
export type PartState<Content> =
  | { readonly state: 'loading' }
  | {
      readonly state: 'failed'
      /**
       * `again`: another attempt failed, too. `outdated`: the server has a newer version of the
       * page.
       */
      readonly failure: 'once' | 'again' | 'outdated'
      readonly retry: 'none' | 'running'
      /** Number of failed attempts. */
      readonly failures: number
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
  const release = useRelease()
  const [part, setPart] = useState<PartState<Content>>({ state: 'loading' })
  const attempts = useRef({ latest: 0, failures: 0, isLoaded: false })
  const fetchPart = useCallback(async () => {
    const { current } = attempts
    current.latest += 1
    const attempt = current.latest
    setPart((before) => (before.state === 'failed' ? { ...before, retry: 'running' } : before))
    try {
      const content = await withDeadline(load())
      current.isLoaded = true
      setPart({ state: 'loaded', content, failures: current.failures })
    } catch (error) {
      reportError(error)
      const outdated = await release.ask()
      // A later attempt replaces this one, and what was loaded before stays.
      if (attempt !== current.latest || current.isLoaded) return
      current.failures += 1
      const { failures } = current
      const again = failures > 1 ? 'again' : 'once'
      setPart({ state: 'failed', failure: outdated ? 'outdated' : again, retry: 'none', failures })
    }
  }, [load, release])
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
