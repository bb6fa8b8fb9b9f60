import { browserLanguages } from '../../../src/rules/locales/browser-languages.ts'
import account from '../../../src/rules/locales/en-account.json' with { type: 'json' }
import type { TextsOf } from '../../../src/rules/translation.ts'
import { textsFrom, type Texts } from './texts.ts'

/*
 * The texts of the parts that the panel loads on demand. Import this only from such a part: the
 * first load has no room for them.
 */

const loaded = new Map<string, TextsOf>([['en', { locale: 'en', texts: account }]])

/** Loads the texts of a language, once. Rejects if their file does not load. */
export async function loadAccountTexts(locale: string): Promise<void> {
  const language = new Map(Object.entries(browserLanguages)).get(locale)
  if (language !== undefined && !loaded.has(locale))
    loaded.set(locale, { locale, texts: await language.account() })
}

/** Adds the texts of the account; in English where those of the language have not loaded. */
export function withAccountTexts(texts: Texts): Texts {
  const added = [loaded.get(texts.locale), loaded.get('en')].filter((one) => one !== undefined)
  const { text, has } = textsFrom([...texts.languages, ...added])
  return { ...texts, text, has }
}

/** Returns whether the texts of a language have loaded. */
export function hasAccountTexts(locale: string): boolean {
  return loaded.has(locale)
}
