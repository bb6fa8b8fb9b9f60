import type { HostPage, HostPages } from '../src/client/client.ts'

/** Whoever has logged in is not kept from the panel by a module that does not come. */
const PATIENCE_MS = 10_000

/**
 * Loads the module of the host's pages. One that cannot be had is reported to the console, and the panel goes on
 * without it: it can still be logged in to, and left. Never rejects.
 *
 * @param address `null`: there are no such pages.
 */
export async function loadHostPages(address: string | null): Promise<readonly HostPage[]> {
  if (address === null) return []
  try {
    // The host answers for what its module exports.
    const module = import(/* @vite-ignore */ address) as Promise<Partial<HostPages>>
    const { pages } = await Promise.race([module, lateness()])
    if (!Array.isArray(pages)) throw new TypeError('it exports no list `pages`')
    return pages
  } catch (error) {
    console.error(`spa.pages: ${address} could not be loaded; serve it as a module`, error)
    return []
  }
}

async function lateness(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`it took more than ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
  })
}
