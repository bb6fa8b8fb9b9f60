import { createInstance } from 'i18next'
import type { MessageValues } from '../../src/rules/messages.ts'

type Catalogues = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Returns a function that translates as i18next does, the model of our own translation. */
export function translatorOfI18next(catalogues: Catalogues) {
  const i18next = createInstance()
  void i18next.init({
    fallbackLng: 'en',
    resources: Object.fromEntries(
      Object.entries(catalogues).map(([tag, translation]) => [tag, { translation }]),
    ),
    keySeparator: false,
    nsSeparator: false,
    initAsync: false,
    interpolation: { escapeValue: false },
  })
  return (language: string, key: string, values?: MessageValues): string =>
    i18next.t(key, { lng: language, ...values })
}
