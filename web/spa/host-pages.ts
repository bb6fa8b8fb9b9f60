import type { HostPages } from '../client/client.ts'
import type { LoadPages } from './panel-options.ts'

/**
 * Returns a function that loads the module of the host's pages. Each attempt uses another address,
 * because browsers cache a module's failure by its address.
 */
export function hostPages(address: string): LoadPages {
  let attempts = 0
  return async () => {
    attempts += 1
    try {
      // The host is responsible for the exports of its module.
      const module = import(/* @vite-ignore */ addressOf(address, attempts)) as Promise<
        Partial<HostPages>
      >
      const { pages } = await module
      if (!Array.isArray(pages)) throw new TypeError('it exports no list `pages`')
      return pages
    } catch (error) {
      throw new Error(`spa.pages: ${address} could not be loaded; serve it as a module`, {
        cause: error,
      })
    }
  }
}

function addressOf(address: string, attempt: number): string {
  if (attempt === 1) return address
  const url = new URL(address, location.href)
  url.searchParams.set('attempt', String(attempt))
  return url.href
}
