import type { MessageValues } from './messages.ts'

/** Texts by key, some with the suffix of a plural form, and the BCP 47 tag of their language. */
export interface TextsOf {
  readonly locale: string
  readonly texts: Readonly<Record<string, string>>
}

/** Returns the text of a key, in the plural form for the count; `undefined`: it is missing. */
export type Lookup = (key: string, count?: string | number) => string | undefined

/** Creates the lookup in several languages, of which the first that has the text counts. */
export function lookupIn(languages: readonly TextsOf[]): Lookup {
  const lookups = languages.map(lookupInOne)
  return (key, count) => {
    for (const find of lookups) {
      const text = find(key, count)
      if (text !== undefined) return text
    }
    return undefined
  }
}

/** Selects `_zero` for 0, else the plural category of the count, else the key itself. */
function lookupInOne({ locale, texts }: TextsOf): Lookup {
  let plurals: Intl.PluralRules | null = null
  // Keys also come from the server: unlike a plain object, a map has no entry for `constructor`.
  const byKey = new Map(Object.entries(texts))
  return (key, count) => {
    if (typeof count !== 'number') return byKey.get(key)
    plurals ??= new Intl.PluralRules(locale)
    const zero = count === 0 ? byKey.get(`${key}_zero`) : undefined
    return zero ?? byKey.get(`${key}_${plurals.select(count)}`) ?? byKey.get(key)
  }
}

/**
 * Translates a key: replaces each `{{name}}` of its text by the value. A key without a text is
 * returned. Leaves placeholders inside a value alone, because a value can be user input.
 */
export function translate(find: Lookup, key: string, values: MessageValues = {}): string {
  const text = find(key, values['count']) ?? key
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) =>
    String(values[name] ?? placeholder),
  )
}
