import type account from './locales/en-account.json'
import type screens from './locales/en-screens.json'
import type server from './locales/en-server.json'
import type service from './locales/en-service.json'

/** The key of a text, with its plural suffix when the text counts something. */
type CatalogueKey = keyof (typeof account & typeof screens & typeof server & typeof service)

type WithoutPlural<Key extends string> =
  Key extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Base : Key

/** The key by which the code refers to a text. */
export type MessageKey = WithoutPlural<CatalogueKey>

/** The values of a text's placeholders; `count` also selects the plural form. */
export type MessageValues = Readonly<Record<string, string | number>>

/** The texts of a language: all of the English ones, and its additional plural forms. */
export type Catalogue = Readonly<Record<CatalogueKey, string>> & Readonly<Record<string, string>>
