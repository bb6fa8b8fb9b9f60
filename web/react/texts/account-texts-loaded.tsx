import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { TextsProvider, useTexts } from '../session/provider.tsx'
import { hasAccountTexts, loadAccountTexts, withAccountTexts } from './account-texts.ts'

/** Renders a part that is loaded on demand once its texts have loaded. */
export function AccountTexts({ children }: { readonly children: ReactNode }) {
  const texts = useTexts()
  const { locale } = texts
  const [tried, setTried] = useState('')
  useEffect(() => {
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
  }, [locale])
  if (!hasAccountTexts(locale) && tried !== locale) return null
  return <TextsProvider texts={withAccountTexts(texts)}>{children}</TextsProvider>
}
