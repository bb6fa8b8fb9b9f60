import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'

/** The languages of the panel. The first is for a request that wants none of them. */
const LANGUAGES = ['en', 'ar', 'de', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

const running = new AsyncLocalStorage<IncomingMessage>()

/** As much as the service reads: any client can send a long list, which takes long to parse. */
const ACCEPT_CHARACTERS = 256

/** Returns the language of an answer. */
export function languageOf({ headers }: IncomingMessage): Language {
  const accept = headers['accept-language']?.slice(0, ACCEPT_CHARACTERS)
  const asked = new Negotiator({ headers: { 'accept-language': accept } })
  const wanted = asked.language([...LANGUAGES])
  return LANGUAGES.find((language) => language === wanted) ?? LANGUAGES[0]
}

/** Handles a request, so that `currentLanguage` returns its language to the listeners of events. */
export function inLanguageOf<Result>(request: IncomingMessage, handle: () => Result): Result {
  return running.run(request, handle)
}

/** Returns the language of the request that is being handled; outside of one, English. */
export function currentLanguage(): Language {
  // Most requests cause no event, so only a listener reads the header.
  const request = running.getStore()
  return request === undefined ? LANGUAGES[0] : languageOf(request)
}
