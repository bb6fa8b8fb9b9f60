import preferredLanguages from 'negotiator/lib/language.js'
import { sizes } from '../../rules/limits.ts'
import { serverLanguages } from '../../rules/locales/server-languages.ts'
import type { MessageKey, MessageValues } from '../../rules/messages.ts'
import { lookupIn, translate, type Lookup } from '../../rules/translation.ts'
import { firstItems } from './header-lists.ts'

/** Translates messages into the language of a request. */
export type Translator = ReturnType<typeof createTranslator>

/**
 * Creates the translator.
 *
 * @param locales Texts by language tag, in any letters. They add languages or replace texts of the
 *   service.
 */
export function createTranslator(
  locales: Readonly<Record<string, Readonly<Record<string, string>>>>,
) {
  const catalogues: Record<string, Readonly<Record<string, string>>> = { ...serverLanguages }
  for (const [given, texts] of Object.entries(locales)) {
    const tag = new Intl.Locale(given).toString()
    catalogues[tag] = { ...catalogues[tag], ...texts }
  }
  const languages = Object.keys(catalogues)
  const lookupOf = (tag: string): Lookup =>
    lookupIn(
      [...tagsFrom(tag), 'en'].map((locale) => ({ locale, texts: catalogues[locale] ?? {} })),
    )
  const lookups = new Map(languages.map((tag) => [tag, lookupOf(tag)]))
  const english = lookupOf('en')
  return {
    /** Tags of the available languages. */
    languages,
    /** Returns the available language that fits `Accept-Language` best, or else English. */
    language(acceptLanguage: string | null) {
      if (acceptLanguage === null) return 'en'
      const list = firstItems(acceptLanguage, sizes.acceptCharacters)
      return preferredLanguages(list, languages)[0] ?? 'en'
    },
    text: (language: string, key: MessageKey, values?: MessageValues) =>
      translate(lookups.get(language) ?? english, key, values),
  }
}

/** Returns a tag and the tags above it: `pt-BR` and `pt`. */
function tagsFrom(tag: string): readonly string[] {
  const end = tag.lastIndexOf('-')
  return end === -1 ? [tag] : [tag, ...tagsFrom(tag.slice(0, end))]
}
