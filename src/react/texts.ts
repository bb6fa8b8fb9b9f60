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

/** @param catalogue The texts of the language; a missing one is shown in English. */
export function createTexts(locale: string, catalogue: Readonly<Record<string, string>>): Texts {
  const inLocale = lookupIn(locale, catalogue)
  const inEnglish = lookupIn('en', en)
  const find: Lookup = (key, count) => inLocale(key, count) ?? inEnglish(key, count)
  return {
    locale,
    text: (key, values = {}) => fillIn(find(key, values['count']) ?? key, values),
    has: (key) => find(key, 1) !== undefined,
  }
}

/** Returns the text of a key, in the plural form for the count, or undefined where the catalogue has none. */
type Lookup = (key: string, count: string | number | undefined) => string | undefined

/** Follows i18next, which the server uses: `_zero` for 0, else the plural category of the count, else the key itself. */
function lookupIn(locale: string, catalogue: Readonly<Record<string, string>>): Lookup {
  const plurals = new Intl.PluralRules(locale)
  // Keys also come from the server: unlike a plain object, a map has no entry for `constructor`.
  const texts = new Map(Object.entries(catalogue))
  return (key, count) => {
    if (typeof count !== 'number') return texts.get(key)
    const zero = count === 0 ? texts.get(`${key}_zero`) : undefined
    return zero ?? texts.get(`${key}_${plurals.select(count)}`) ?? texts.get(key)
  }
}

/** Replaces each `{{name}}` by its value. Placeholders inside a value stay as they are: a value can be a user's input. */
function fillIn(text: string, values: MessageValues): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
    String(values[name] ?? placeholder),
  )
}
