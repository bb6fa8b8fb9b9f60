import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTranslator } from '../../src/http/wire/translate.ts'
import { createTexts, englishTexts, loadTexts } from '../../web/react/texts.ts'
import { ar } from '../../src/rules/locales/ar.ts'
import { en } from '../../src/rules/locales/en.ts'
import { fr } from '../../src/rules/locales/fr.ts'
import type { MessageKey } from '../../src/rules/messages.ts'

const catalogues: Readonly<Record<string, Readonly<Record<string, string>>>> = { ar, en, fr }
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

describe.each(languages)('the texts of the page in the language %s', (language) => {
  it('are those of the server for every key and count', async () => {
    const { text } = await loadTexts(language)
    for (const key of keys) {
      expect(text(key)).toBe(server.text(language, key))
      for (const count of counts) {
        expect(text(key, { count })).toBe(server.text(language, key, { count }))
      }
    }
  })

  it('are those of the server for every value that is filled in', async () => {
    const { text } = await loadTexts(language)
    fc.assert(
      fc.property(
        fc.constantFrom(...keys),
        fc.option(fc.oneof(fc.integer(), fc.nat(200)), { nil: null }),
        values,
        (key, count, named) => {
          const all = count === null ? named : { ...named, count }
          expect(text(key, all)).toBe(server.text(language, key, all))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('exist for every message of the service, and for no other key', async () => {
    const { has } = await loadTexts(language)
    for (const key of messageKeys) expect([key, has(key)]).toEqual([key, true])
    for (const key of ['', 'svc::auth.newer', 'constructor', '__proto__', 'toString']) {
      expect([key, has(key)]).toEqual([key, false])
    }
  })
})

describe('a language of which some texts are missing', () => {
  it('falls back to the English text, in the plural form of English, as on the server', () => {
    // Welsh has the six plural categories of Arabic, for other numbers.
    const partial = fc.subarray(Object.entries(ar)).map((texts) => Object.fromEntries(texts))
    fc.assert(
      fc.property(partial, fc.constantFrom(...counts), (catalogue, count) => {
        const { text } = createTexts('cy', catalogue)
        const server = createTranslator({ cy: catalogue })
        for (const key of keys) {
          expect(text(key)).toBe(server.text('cy', key))
          expect(text(key, { count })).toBe(server.text('cy', key, { count }))
        }
      }),
      { numRuns: 20 },
    )
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
