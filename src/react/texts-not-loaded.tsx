import { useEffect } from 'react'
import { notLoaded } from '../rules/locales/not-loaded.ts'
import { Button } from './button.tsx'
import { useAnnounce, usePanelState, useText } from './provider.tsx'
import type { LoadedLocale } from './texts.ts'

/** Tells the user, in the language whose texts did not load, why the page is in English. */
export function TextsNotLoaded({ locale }: { readonly locale: LoadedLocale }) {
  const text = useText()
  const announce = useAnnounce()
  const isBooting = usePanelState().state === 'booting'
  const { message, reload } = notLoaded[locale]
  useEffect(() => {
    // The announcement would end with the first screen.
    if (!isBooting) announce(message)
  }, [announce, isBooting, message])
  return (
    <section
      aria-label={text('ui.language')}
      lang={locale}
      dir={locale === 'ar' ? 'rtl' : 'ltr'}
      data-svc-part="texts-not-loaded"
    >
      <p>{message}</p>
      <Button part="secondary" onPress={() => location.reload()}>
        {reload}
      </Button>
    </section>
  )
}
