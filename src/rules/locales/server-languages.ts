import arServer from './ar-server.json' with { type: 'json' }
import ar from './ar-service.json' with { type: 'json' }
import deServer from './de-server.json' with { type: 'json' }
import de from './de-service.json' with { type: 'json' }
import enServer from './en-server.json' with { type: 'json' }
import en from './en-service.json' with { type: 'json' }
import frServer from './fr-server.json' with { type: 'json' }
import fr from './fr-service.json' with { type: 'json' }

/** The texts of answers and mails by language. English comes first: it answers `*`. */
export const serverLanguages = {
  en: { ...en, ...enServer },
  ar: { ...ar, ...arServer },
  de: { ...de, ...deServer },
  fr: { ...fr, ...frServer },
}
