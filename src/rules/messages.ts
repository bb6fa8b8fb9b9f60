import type { en } from './locales/en.ts'

/** Every text by its key, with the plural suffix where something is counted. */
export type CatalogueKey = keyof typeof en

type WithoutPlural<Key extends string> =
  Key extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Base : Key

/** Every message key: what a text is asked for by. */
export type MessageKey = WithoutPlural<CatalogueKey>

/** What a message is filled in with; `count` also chooses the plural. */
export type MessageValues = Readonly<Record<string, string | number>>

/** A catalogue has every text of the English one, and the plural forms that its language adds. */
export type Catalogue = Readonly<Record<CatalogueKey, string>> & Readonly<Record<string, string>>
