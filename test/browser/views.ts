import { ar, en, fr } from '../support/texts.ts'
import { STILL } from './looks.ts'

/** The browsers of a journey: one language on a wide screen, and two on a phone. */
export const VIEWS = [
  { ...viewOf('en', 1280), texts: en },
  { ...viewOf('fr', 375), texts: fr },
  { ...viewOf('ar', 375), texts: ar },
]

function viewOf<Locale extends string>(locale: Locale, width: number) {
  return { locale, width, view: { ...STILL, locale, viewport: { width, height: 720 } } }
}
