import { useLayoutEffect } from 'react'
import { useLocale } from '../src/react/react.ts'
import { textLocale } from '../src/react/texts.ts'

export interface LanguageOfProps {
  /** Element that the panel is rendered into. */
  readonly place: Element
  /** Requested language. */
  readonly wanted: string
}

/** Marks the panel as English if the texts of the page's language did not load. */
export function LanguageOf({ place, wanted }: LanguageOfProps) {
  const locale = useLocale()
  const isFallback = locale !== textLocale(wanted)
  useLayoutEffect(() => {
    if (!isFallback) return
    place.setAttribute('lang', locale)
    place.setAttribute('dir', 'ltr')
  }, [place, locale, isFallback])
  return null
}
