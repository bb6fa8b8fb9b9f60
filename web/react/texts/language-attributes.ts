/** Attributes of an element: the page around it may be in another language than its texts. */
export interface LanguageAttributes {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
}

/**
 * Returns the attributes of an element with texts.
 *
 * @param lang A result of `textLocale`.
 */
export function languageAttributes(lang: string): LanguageAttributes {
  return { lang, dir: lang === 'ar' ? 'rtl' : 'ltr' }
}
