import { useLayoutEffect } from 'react'
import { textLocale, useLocale } from '../src/react/react.ts'

export interface LanguageOfProps {
  /** What the panel is drawn into. */
  readonly place: Element
  /** Language that was asked for. */
  readonly wanted: string
}

/** Marks the panel as English where the texts of the page's language did not load. */
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
