import { en } from '../../../src/rules/locales/en.ts'
import type { Catalogue, MessageKey, MessageValues } from '../../../src/rules/messages.ts'
import { lookupIn, translate } from '../../../src/rules/translation.ts'

/** Looks up a text in the language of the panel. */
export type Text = (key: MessageKey, values?: MessageValues) => string

/** The texts of one language. */
export interface Texts {
  /** BCP 47 tag of the texts. */
  readonly locale: string
  /** Language whose texts did not load, so that these are English; `null` for none. */
  readonly notLoaded: LoadedLocale | null
  readonly text: Text
  /** Returns `true` if the key has a text: a newer service may send keys that this page lacks. */
  readonly has: (key: string) => boolean
}

/** English is built in; every other language is a file of its own. */
const catalogues = {
  ar: async () => (await import('../../../src/rules/locales/ar.ts')).ar,
  fr: async () => (await import('../../../src/rules/locales/fr.ts')).fr,
} satisfies Readonly<Record<string, () => Promise<Catalogue>>>

/** Tag of a language whose texts are a file of their own. */
export type LoadedLocale = keyof typeof catalogues

function isLoaded(locale: string): locale is LoadedLocale {
  return locale in catalogues
}

/** Tags of the languages that have texts. */
export const LOCALES: readonly string[] = ['en', ...Object.keys(catalogues)]

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

/** Attributes of an element whose texts are in another language than the page. */
export interface LanguageAttributes {
  readonly lang?: string
  readonly dir?: 'ltr'
}

/**
 * Returns the attributes for English texts in a page of another language: none in every other case.
 *
 * @param locale A BCP 47 tag, the language of the page.
 */
export function languageAttributes(texts: Texts, locale: string): LanguageAttributes {
  return texts.locale === 'en' && languageOf(locale) !== 'en' ? { lang: 'en', dir: 'ltr' } : {}
}

/**
 * Loads the texts of a language; a catalogue that does not load leaves them English.
 *
 * @param locale A result of `textLocale`.
 */
export async function loadTexts(locale: string): Promise<Texts> {
  if (!isLoaded(locale)) return englishTexts()
  try {
    return createTexts(locale, await catalogues[locale]())
  } catch {
    return { ...englishTexts(), notLoaded: locale }
  }
}

/** Returns the English texts, which need no loading. */
export function englishTexts(): Texts {
  return createTexts('en', en)
}

/**
 * Creates texts from a catalogue.
 *
 * @param catalogue The texts of the language; a missing one is shown in English.
 */
export function createTexts(locale: string, catalogue: Readonly<Record<string, string>>): Texts {
  const find = lookupIn([
    { locale, texts: catalogue },
    { locale: 'en', texts: en },
  ])
  return {
    locale,
    notLoaded: null,
    text: (key, values) => translate(find, key, values),
    has: (key) => find(key, 1) !== undefined,
  }
}
