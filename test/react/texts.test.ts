import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTranslator } from '../../src/http/wire/translate.ts'
import { translatorOfI18next } from '../support/i18next.ts'
import { ar, de, en, fr, textsOfPart } from '../support/texts.ts'
import { loadAccountTexts, withAccountTexts } from '../../web/react/texts/account-texts.ts'
import { englishTexts, loadTexts, textsFrom } from '../../web/react/texts/texts.ts'
import { browserLanguages } from '../../src/rules/locales/browser-languages.ts'
import { serverLanguages } from '../../src/rules/locales/server-languages.ts'
import type { MessageKey } from '../../src/rules/messages.ts'

const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { ar, de, en, fr }
const languages = Object.keys(catalogues)
const placeholders = new Set(
  Object.values(catalogues)
    .flatMap((catalogue) => Object.values(catalogue))
    .flatMap((text) => Array.from(text.matchAll(/\{\{(.*?)\}\}/g), ([, name = '']) => name))
    .filter((name) => name !== 'count'),
)

const withoutPlural = (key: string) => key.replace(/_(?:zero|one|two|few|many|other)$/, '')
const messageKeys = new Set(Object.keys(en).map(withoutPlural))

/** Every key of every catalogue, with and without its plural suffix. */
const keys = new Set(
  Object.values(catalogues)
    .flatMap((catalogue) => Object.keys(catalogue))
    .flatMap((key) => [key, withoutPlural(key)]),
) as ReadonlySet<MessageKey>

/** Includes every plural category of Arabic and French. */
const counts = [-1, 0, 0.5, 1, 1.5, 2, 3, 10, 11, 60, 99, 100, 102, 103, 111, 1000, 1_000_000]

/** Ordinary text, and what `replace` and i18next treat specially. */
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('$&', '$1', '$$', '$t(ui.retry)', '{{count}}', '{{name}}', '<b>', ' '))
    .map((parts) => parts.join('')),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
)
const values = fc.dictionary(fc.constantFrom(...placeholders), value)

const server = createTranslator({})
/** The server has the texts of its answers and mails, and the page all but its own. */
const isOfServer = (key: string) => /^(?:svc::|mail\.)/.test(key)
const ofServerAlone = new Set(Object.keys(textsOfPart('en', 'server')).map(withoutPlural))
const isOfPage = (key: string) => !ofServerAlone.has(withoutPlural(key))

/** Returns the function that looks up all texts of a language. */
async function textsOf(language: string) {
  await loadAccountTexts(language)
  return withAccountTexts(await loadTexts(language))
}
const i18next = translatorOfI18next(catalogues)

describe.each(languages)(
  'the texts of the page and of the server in the language %s',
  (language) => {
    it('are those of i18next for every key and count', async () => {
      const { text } = await textsOf(language)
      for (const key of keys) {
        if (isOfPage(key)) expect(text(key)).toBe(i18next(language, key))
        if (isOfServer(key)) expect(server.text(language, key)).toBe(i18next(language, key))
        for (const count of counts) {
          const expected = i18next(language, key, { count })
          if (isOfPage(key)) expect(text(key, { count })).toBe(expected)
          if (isOfServer(key)) expect(server.text(language, key, { count })).toBe(expected)
        }
      }
    })

    it('are those of i18next for every value that is filled in', async () => {
      const { text } = await textsOf(language)
      fc.assert(
        fc.property(
          fc.constantFrom(...keys),
          fc.option(fc.oneof(fc.integer(), fc.nat(200)), { nil: null }),
          values,
          (key, count, named) => {
            const all = count === null ? named : { ...named, count }
            const expected = i18next(language, key, all)
            if (isOfPage(key)) expect(text(key, all)).toBe(expected)
            if (isOfServer(key)) expect(server.text(language, key, all)).toBe(expected)
          },
        ),
        { numRuns: 1000 },
      )
    })

    it('exist for every message of the service, and for no other key', async () => {
      const { has } = await textsOf(language)
      for (const key of [...messageKeys].filter(isOfPage))
        expect([key, has(key)]).toEqual([key, true])
      for (const key of ['', 'svc::auth.newer', 'constructor', '__proto__', 'toString']) {
        expect([key, has(key)]).toEqual([key, false])
      }
    })
  },
)

describe.each(['service', 'server', 'screens', 'account'] as const)('the texts of %s', (part) => {
  it('are the same in each language, so that no part lacks one', () => {
    const keysOf = (language: string) =>
      new Set(Object.keys(textsOfPart(language, part)).map(withoutPlural))
    const english = keysOf('en')
    expect(english.size).toBeGreaterThan(10)
    for (const language of languages) expect(keysOf(language)).toEqual(english)
  })
})

/** Texts that are the same words in another language, by what they say. */
const SAME_AS_ENGLISH: Readonly<Record<string, ReadonlySet<string>>> = {
  ar: new Set(),
  de: new Set(),
  fr: new Set(['Notifications', 'Notifications, {{count}} unread', 'Pages', 'Sessions']),
}

describe.each(languages.filter((language) => language !== 'en'))('the language %s', (language) => {
  const texts = catalogues[language] ?? {}

  it('has no English text', () => {
    const same = Object.entries(en)
      .filter(([key, english]) => texts[key] === english)
      .map(([, english]) => english)
    const allowed = SAME_AS_ENGLISH[language]
    expect(same.filter((text) => allowed?.has(text) !== true)).toEqual([])
  })

  it('has a text for every plural category of what is counted', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const counted = [...messageKeys].filter((key) => `${key}_other` in en)
    expect(counted.length).toBeGreaterThan(10)
    const forms = counted.flatMap((key) => pluralCategories.map((form) => `${key}_${form}`))
    expect(forms.filter((form) => !(form in texts))).toEqual([])
  })

  it('has the placeholders of English in each text that does not count', () => {
    const placeholdersOf = (text = '') => new Set(text.match(/\{\{\w+\}\}/g))
    for (const [key, english] of Object.entries(en)) {
      if (/_(?:zero|one|two)$/.test(key)) continue
      expect([key, placeholdersOf(texts[key])]).toEqual([key, placeholdersOf(english)])
    }
  })
})

describe('the French texts', () => {
  it('have one name for the recovery codes', () => {
    const texts = Object.values(fr).join(' ')
    expect(texts).toContain('codes de secours')
    expect(texts).not.toContain('récupération')
  })
})

describe('the tables of languages', () => {
  it('have every language that has files, and no other', () => {
    const files = readdirSync(new URL('../../src/rules/locales/', import.meta.url))
    const tags = files.flatMap((name) => /^(\w+)-service\.json$/.exec(name)?.[1] ?? [])
    expect(tags.toSorted()).toEqual(languages)
    expect(Object.keys(serverLanguages).toSorted()).toEqual(languages)
    expect(['en', ...Object.keys(browserLanguages)].toSorted()).toEqual(languages.toSorted())
  })
})

describe('a language of which some texts are missing', () => {
  it('falls back to the English text, in the plural form of English, as with i18next', () => {
    // Welsh has the six plural categories of Arabic, for other numbers.
    const partial = fc.subarray(Object.entries(ar)).map((texts) => Object.fromEntries(texts))
    fc.assert(
      fc.property(partial, fc.constantFrom(...counts), (catalogue, count) => {
        const { text } = textsFrom([
          { locale: 'cy', texts: catalogue },
          { locale: 'en', texts: en },
        ])
        const server = createTranslator({ cy: catalogue })
        const i18next = translatorOfI18next({ en, cy: catalogue })
        for (const key of keys) {
          for (const values of [{}, { count }]) {
            const expected = i18next('cy', key, values)
            expect(text(key, values)).toBe(expected)
            if (isOfServer(key)) expect(server.text('cy', key, values)).toBe(expected)
          }
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('a text of a region', () => {
  it('falls back to that of the language, then to English, as with i18next', () => {
    const catalogues = {
      pt: { 'svc::auth.failed': 'pt', 'svc::auth.throttle_one': '{{ count }} pt' },
      'pt-BR': { 'svc::auth.throttle_other': '{{count}} pt-BR' },
      'zh-Hant': { 'svc::auth.failed': 'zh-Hant' },
      'zh-Hant-TW': {},
    }
    const server = createTranslator(catalogues)
    const i18next = translatorOfI18next({ en, ...catalogues })
    for (const language of [...Object.keys(catalogues), 'tlh']) {
      for (const key of ['svc::auth.failed', 'svc::auth.throttle', 'svc::auth.invalid'] as const) {
        for (const count of counts) {
          const expected = i18next(language, key, { count })
          expect(server.text(language, key, { count })).toBe(expected)
        }
      }
    }
    expect(server.text('pt-BR', 'svc::auth.failed')).toBe('pt')
    expect(server.text('pt-BR', 'svc::auth.throttle', { count: 1 })).toBe('1 pt')
    expect(server.text('zh-Hant-TW', 'svc::auth.failed')).toBe('zh-Hant')
  })
})

describe('a text without a translation', () => {
  it('is its key, even if it is named like a property of every object', () => {
    const { text } = englishTexts()
    for (const key of ['svc::auth.newer', 'constructor', '__proto__']) {
      expect(text(key as MessageKey)).toBe(key)
      expect(text(key as MessageKey, { count: 0 })).toBe(key)
    }
  })
})
