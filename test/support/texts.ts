import { readFileSync } from 'node:fs'
import type { Catalogue } from '../../src/rules/messages.ts'

type Texts = Readonly<Record<string, string>>

/** Reads the texts of one part of a language, which `rules/locales` keeps in a file. */
export function textsOfPart(language: string, part: string): Texts {
  const file = new URL(`../../src/rules/locales/${language}-${part}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Texts
}

function textsOf(language: string): Catalogue {
  const parts = ['service', 'server', 'screens', 'account'].map((part) =>
    textsOfPart(language, part),
  )
  return Object.assign({}, ...parts) as Catalogue
}

/** All texts of each language, by key. */
export const [ar, de, en, fr] = [textsOf('ar'), textsOf('de'), textsOf('en'), textsOf('fr')]
