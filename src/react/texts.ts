import { createInstance } from 'i18next'
import { en } from '../rules/locales/en.ts'
import type { Catalogue, MessageKey, MessageValues } from '../rules/messages.ts'

/** Looks a text up in the language of the panel. */
export type Text = (key: MessageKey, values?: MessageValues) => string

/** The texts of one language. */
export interface Texts {
  /** Their language. */
  readonly locale: string
  readonly text: Text
  /** Whether there is such a text: a service that is newer than this page has keys of its own. */
  readonly has: (key: string) => boolean
}

/** English is always there; every other language is a file of its own. */
const catalogues: Readonly<Record<string, () => Promise<Catalogue>>> = {
  ar: async () => (await import('../rules/locales/ar.ts')).ar,
  fr: async () => (await import('../rules/locales/fr.ts')).fr,
}

/**
 * The language that the panel's texts will be in.
 *
 * @param wanted A BCP 47 tag, such as that of `<html lang>`.
 * @returns The tag's own language where there are texts for it, else `en`.
 */
export function textLocale(wanted: string): string {
  const [language = ''] = wanted.toLowerCase().split('-')
  return language in catalogues ? language : 'en'
}

/** @param locale As `textLocale` gives it. A catalogue that does not arrive leaves the texts English. */
export async function loadTexts(locale: string): Promise<Texts> {
  const load = catalogues[locale]
  if (load === undefined) return englishTexts()
  try {
    return createTexts(locale, await load())
  } catch {
    return englishTexts()
  }
}

/** The texts that need no loading. */
export function englishTexts(): Texts {
  return createTexts('en', en)
}

function createTexts(locale: string, catalogue: Catalogue): Texts {
  const texts = createInstance()
  void texts.init({
    lng: locale,
    fallbackLng: 'en',
    resources: { en: { svc: en }, [locale]: { svc: catalogue } },
    defaultNS: 'svc',
    ns: 'svc',
    keySeparator: false,
    nsSeparator: false,
    // What is drawn is text, never markup.
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  return {
    locale,
    text: (key, values) => texts.t(key, { ...values }),
    has: (key) => texts.exists(key) || texts.exists(key, { count: 1 }),
  }
}
