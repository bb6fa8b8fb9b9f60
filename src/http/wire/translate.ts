import { createInstance } from 'i18next'
import Negotiator from 'negotiator'
import { ar } from '../../rules/locales/ar.ts'
import { en } from '../../rules/locales/en.ts'
import { fr } from '../../rules/locales/fr.ts'
import { sizes } from '../../rules/limits.ts'
import type { MessageKey, MessageValues } from '../../rules/messages.ts'
import { firstItems } from './header-lists.ts'

/** Translates messages into the language of a request. */
export interface Translator {
  /** Tags of the available languages. */
  readonly languages: readonly string[]
  /** Returns the available language that fits `Accept-Language` best, or else English. */
  language(acceptLanguage: string | null): string
  text(language: string, key: MessageKey, values?: MessageValues): string
}

/**
 * Creates the translator.
 *
 * @param locales Texts by language tag. They add languages or replace texts of the service.
 */
export function createTranslator(
  locales: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Translator {
  const catalogues: Record<string, Readonly<Record<string, string>>> = { en, ar, fr }
  for (const [tag, texts] of Object.entries(locales))
    catalogues[tag] = { ...catalogues[tag], ...texts }
  const languages = Object.keys(catalogues)
  const i18next = createInstance()
  // With `initAsync: false` and all resources given, init is complete when it returns.
  void i18next.init({
    fallbackLng: 'en',
    resources: Object.fromEntries(
      Object.entries(catalogues).map(([tag, translation]) => [tag, { translation }]),
    ),
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    // The texts go into JSON and plain text. The pages escape them for HTML.
    interpolation: { escapeValue: false },
  })
  return {
    languages,
    language(acceptLanguage) {
      if (acceptLanguage === null) return 'en'
      const list = firstItems(acceptLanguage, sizes.acceptCharacters)
      const asked = new Negotiator({ headers: { 'accept-language': list } })
      return asked.language(languages) ?? 'en'
    },
    text: (language, key, values) => i18next.t(key, { lng: language, ...values }),
  }
}
