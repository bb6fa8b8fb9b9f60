import { useLayoutEffect } from 'react'
import { useTexts } from '../react/session/provider.tsx'

export interface LanguageOfProps {
  /** Element that the panel is rendered into. */
  readonly place: Element
}

/** Marks the panel as English if the texts of the page's language did not load. */
export function LanguageOf({ place }: LanguageOfProps) {
  const { locale, notLoaded } = useTexts()
  useLayoutEffect(() => {
    if (notLoaded === null) return
    // The service's own document holds nothing but the panel.
    const marked = place.closest('html[data-svc-page]') ?? place
    marked.setAttribute('lang', locale)
    marked.setAttribute('dir', 'ltr')
  }, [place, locale, notLoaded])
  return null
}
