import type { SessionLayerParts } from '../../core/accounts/session-layer.ts'
import { DAY_MINUTES } from '../../rules/limits.ts'
import type { Translator } from '../wire/translate.ts'
import { mailTexts } from './link-mail.ts'

/** Creates the writer of notices about logins, in the language of the browser that logged in. */
export function loginNotices(translator: Translator, panel: string): SessionLayerParts['compose'] {
  return ({ place, at, acceptLanguage }) => {
    const language = translator.language(acceptLanguage)
    const { say, linkMail } = mailTexts(translator, language, panel)
    const { browser, system } = place
    const values = {
      browser:
        browser !== null && system !== null
          ? say('mail.new_login.browser_on', { browser, system })
          : (browser ?? system ?? say('mail.new_login.unknown_browser')),
      network: place.network ?? say('mail.new_login.unknown_network'),
      time: timeIn(language, at),
    }
    return {
      title: say('mail.new_login.bell_title', values),
      body: say('mail.new_login.bell_body', values),
      mail(link, lifetimeMinutes) {
        const count = lifetimeMinutes / DAY_MINUTES
        return linkMail('new_login', {
          link,
          values,
          closing: say('mail.new_login.closing', { count }),
        })
      },
    }
  }
}

/** Returns a time in UTC: where the reader is, nobody knows. */
function timeIn(language: string, at: number): string {
  const format = { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(language, format).format(at)
}
