import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { TextsProvider, useTexts } from './provider.tsx'
import { hasAccountTexts, loadAccountTexts, withAccountTexts } from '../texts/account-texts.ts'

/** Renders a part that is loaded on demand once its texts have loaded. */
export function AccountTexts({ children }: { readonly children: ReactNode }) {
  const texts = useTexts()
  const { locale } = texts
  const [tried, setTried] = useState('')
  const isSettled = hasAccountTexts(locale) || tried === locale
  useEffect(() => {
    if (isSettled) return
    async function load() {
      try {
        await loadAccountTexts(locale)
      } catch (error) {
        // The part is in English then.
        reportError(error)
      }
      setTried(locale)
    }
    void load()
  }, [isSettled, locale])
  const extended = useMemo(() => (isSettled ? withAccountTexts(texts) : null), [isSettled, texts])
  return extended && <TextsProvider texts={extended}>{children}</TextsProvider>
}
