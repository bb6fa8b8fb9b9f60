import { useEffect } from 'react'
import { browserLanguages } from '../../../src/rules/locales/browser-languages.ts'
import { useAnnounce, usePanelState, useText } from './provider.tsx'
import { ReloadButton } from './reload-button.tsx'
import { languageAttributes } from '../texts/language-attributes.ts'
import type { LoadedLocale } from '../texts/texts.ts'

export interface TextsNotLoadedProps {
  readonly locale: LoadedLocale
}

/** Explains, in the language whose texts did not load, why the page is in English. */
export function TextsNotLoaded({ locale }: TextsNotLoadedProps) {
  const label = useText()('ui.language')
  const announce = useAnnounce()
  const { message, reload } = browserLanguages[locale].notLoaded
  // An announcement ends with its screen: the first one is that of the start.
  const isStarting = usePanelState().state === 'booting'
  useEffect(() => {
    if (!isStarting) announce(message)
  }, [announce, isStarting, message])
  return (
    <section aria-label={label} {...languageAttributes(locale)} data-svc-part="texts-not-loaded">
      <p>{message}</p>
      <ReloadButton part="secondary">{reload}</ReloadButton>
    </section>
  )
}
