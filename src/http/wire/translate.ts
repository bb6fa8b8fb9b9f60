import { createInstance } from 'i18next'
import Negotiator from 'negotiator'
import { ar } from '../../rules/locales/ar.ts'
import { en } from '../../rules/locales/en.ts'
import { fr } from '../../rules/locales/fr.ts'
import { sizes } from '../../rules/limits.ts'
import type { MessageKey, MessageValues } from '../../rules/messages.ts'

/** Puts messages into the language that a request asks for. */
export interface Translator {
  /** The language of the catalogues that fits an `Accept-Language` best; English where none does. */
  language(acceptLanguage: string | null): string
  text(language: string, key: MessageKey, values?: MessageValues): string
}

/** @param locales Further languages, or other words for the service's own, by language tag. */
export function createTranslator(
  locales: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Translator {
  const catalogues: Record<string, Readonly<Record<string, string>>> = { en, ar, fr }
  for (const [tag, texts] of Object.entries(locales))
    catalogues[tag] = { ...catalogues[tag], ...texts }
  const languages = Object.keys(catalogues)
  const i18next = createInstance()
  // Resources are at hand, so that init is done when it returns.
  void i18next.init({
    fallbackLng: 'en',
    resources: Object.fromEntries(
      Object.entries(catalogues).map(([tag, translation]) => [tag, { translation }]),
    ),
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    // The texts go into JSON and plain text; whoever shows them as HTML escapes them there.
    interpolation: { escapeValue: false },
  })
  return {
    language(acceptLanguage) {
      if (acceptLanguage === null) return 'en'
      const asked = new Negotiator({ headers: { 'accept-language': shortened(acceptLanguage) } })
      return asked.language(languages) ?? 'en'
    },
    text: (language, key, values) => i18next.t(key, { lng: language, ...values }),
  }
}

/** Cuts a long list of languages before it is parsed, which costs more than its length; a tag is not cut in two. */
function shortened(acceptLanguage: string): string {
  const limit = sizes.acceptLanguageCharacters
  if (acceptLanguage.length <= limit) return acceptLanguage
  return acceptLanguage.slice(0, Math.max(0, acceptLanguage.lastIndexOf(',', limit)))
}
