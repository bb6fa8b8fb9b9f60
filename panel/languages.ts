import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'

/** The languages of the panel. The first is for a request that wants none of them. */
const LANGUAGES = ['en', 'ar', 'de', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** As much as the service reads: any client can send a long list, which takes long to parse. */
const ACCEPT_CHARACTERS = 256

/** Returns the language of an answer. */
export function languageOf({ headers }: IncomingMessage): Language {
  return languageFor(headers['accept-language'])
}

/** Returns the language for a client that sends this header. */
export function languageFor(acceptLanguage: string | null | undefined): Language {
  const accept = acceptLanguage?.slice(0, ACCEPT_CHARACTERS)
  const asked = new Negotiator({ headers: { 'accept-language': accept } })
  const wanted = asked.language([...LANGUAGES])
  return knownLanguage(wanted)
}

/** Returns the language of this name; the first if the panel does not have it. */
export function knownLanguage(name: unknown): Language {
  return LANGUAGES.find((language) => language === name) ?? LANGUAGES[0]
}
