import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'

/** The languages of the panel. The first is for a request that wants none of them. */
const LANGUAGES = ['en', 'ar', 'de', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

const running = new AsyncLocalStorage<Language>()

/** Returns the language of an answer. */
export function languageOf(request: IncomingMessage): Language {
  const wanted = new Negotiator(request).language([...LANGUAGES])
  return LANGUAGES.find((language) => language === wanted) ?? LANGUAGES[0]
}

/** Handles a request, so that `currentLanguage` returns its language to the listeners of events. */
export function inLanguageOf<Result>(request: IncomingMessage, handle: () => Result): Result {
  return running.run(languageOf(request), handle)
}

/** Returns the language of the request that is being handled; outside of one, English. */
export function currentLanguage(): Language {
  return running.getStore() ?? LANGUAGES[0]
}
