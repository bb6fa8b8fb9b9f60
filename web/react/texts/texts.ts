import { browserLanguages } from '../../../src/rules/locales/browser-languages.ts'
import screens from '../../../src/rules/locales/en-screens.json' with { type: 'json' }
import service from '../../../src/rules/locales/en-service.json' with { type: 'json' }
import type { MessageKey, MessageValues } from '../../../src/rules/messages.ts'
import { lookupIn, translate, type TextsOf } from '../../../src/rules/translation.ts'

/** Looks up a text in the language of the panel. */
export type Text = (key: MessageKey, values?: MessageValues) => string

/** The first one has the language of the texts. */
type Languages = readonly [TextsOf, ...TextsOf[]]

/** The texts of one language. */
export interface Texts {
  /** BCP 47 tag of the texts. */
  readonly locale: string
  /** Language whose texts did not load, so that these are English; `null` for none. */
  readonly notLoaded: LoadedLocale | null
  /** The texts by language; the first that has a text counts. */
  readonly languages: Languages
  readonly text: Text
  /** Returns `true` if the key has a text: a newer service may send keys that this page lacks. */
  readonly has: (key: string) => boolean
}

const english: TextsOf = { locale: 'en', texts: { ...service, ...screens } }

/** Tag of a language whose texts are a file of their own. */
export type LoadedLocale = keyof typeof browserLanguages

function isLoaded(locale: string): locale is LoadedLocale {
  return locale in browserLanguages
}

/** Tags of the languages that have texts. */
export const LOCALES: readonly string[] = ['en', ...Object.keys(browserLanguages)]

/**
 * Chooses the language of the panel's texts.
 *
 * @param wanted A BCP 47 tag, such as that of `<html lang>`.
 * @returns The tag's own language if it has texts, else `en`.
 */
export function textLocale(wanted: string): string {
  const language = languageOf(wanted)
  return isLoaded(language) ? language : 'en'
}

/** Returns the language of a tag, without its region and script. */
function languageOf(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-')
  return language
}

/**
 * Loads the texts of a language; a catalogue that does not load leaves them English.
 *
 * @param locale A result of `textLocale`.
 */
export async function loadTexts(locale: string): Promise<Texts> {
  if (!isLoaded(locale)) return englishTexts()
  try {
    const texts = await browserLanguages[locale].first()
    return textsFrom([{ locale, texts }, english])
  } catch {
    return { ...englishTexts(), notLoaded: locale }
  }
}

/** Returns the English texts, which need no loading. */
export function englishTexts(): Texts {
  return textsFrom([english])
}

/** Creates texts of the first language, with the others for what it lacks. */
export function textsFrom(languages: Languages): Texts {
  const find = lookupIn(languages)
  return {
    locale: languages[0].locale,
    notLoaded: null,
    languages,
    text: (key, values) => translate(find, key, values),
    has: (key) => find(key, 1) !== undefined,
  }
}
