export { service } from './de-service.ts'

/** The German texts of the screens that the panel shows first. With those of answers. */
export const screens = {
  'ui.title.error': 'Fehler: {{title}}',

  'ui.error.heading': 'Es gibt ein Problem',

  'ui.network':
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',

  'ui.retry': 'Noch einmal versuchen',

  'ui.part.failed':
    'Dieser Teil der Seite konnte nicht geladen werden. Versuchen Sie es noch einmal.',

  'ui.outdated.title': 'Eine neue Version ist bereit',
  'ui.outdated': 'Eine neue Version ist bereit. Laden Sie die Seite neu, um sie zu verwenden.',
  'ui.outdated.unsaved':
    'Ihre Eingaben sind nicht gespeichert. Seite neu laden und Eingaben verlieren?',

  'ui.error.reference': 'Referenz: {{id}}',

  'ui.broken.title': 'Etwas ist schiefgegangen',
  'ui.broken.text':
    'Diese Seite konnte nicht angezeigt werden. Laden Sie sie neu und versuchen Sie es noch einmal.',

  'ui.logout': 'Abmelden',
  'ui.impersonation.text': 'Sie handeln im Namen von {{name}}.',
  'ui.impersonation.end': 'Zurück zu Ihrem eigenen Konto',

  'ui.login.title': 'Anmelden',
  'ui.login.email': 'E-Mail-Adresse',
  'ui.login.password': 'Passwort',
  'ui.login.submit': 'Anmelden',
  'ui.login.submitting': 'Anmeldung läuft…',
  'ui.login.help': 'Brauchen Sie Hilfe?',
  'ui.login.forgot': 'Passwort vergessen?',
  'ui.login.remember_one': '{{count}} Tag lang angemeldet bleiben',
  'ui.login.remember_other': '{{count}} Tage lang angemeldet bleiben',
  'ui.shared_computer': 'Nicht auf einem gemeinsam genutzten Computer.',
  'ui.login.email_required': 'Geben Sie Ihre E-Mail-Adresse ein',
  'ui.login.password_required': 'Geben Sie Ihr Passwort ein',
  'ui.login.no_cookies':
    'Ihr Browser hat die Sitzung nicht gespeichert. Erlauben Sie Cookies für diese Website und versuchen Sie es noch einmal.',

  'ui.password.show': 'Passwort anzeigen',
  'ui.password.show_short': 'Anzeigen',
  'ui.password.shown': 'Ihr Passwort ist sichtbar',
  'ui.password.hide': 'Passwort verbergen',
  'ui.password.hide_short': 'Verbergen',
  'ui.password.hidden': 'Ihr Passwort ist verborgen',

  'ui.throttle.over': 'Sie können es jetzt noch einmal versuchen.',
  'ui.throttle.minutes_one': 'Zu viele Versuche. Versuchen Sie es in {{count}} Minute noch einmal.',
  'ui.throttle.minutes_other':
    'Zu viele Versuche. Versuchen Sie es in {{count}} Minuten noch einmal.',

  'ui.too_many_requests.minutes_one':
    'Zu viele Anfragen. Warten Sie {{count}} Minute und versuchen Sie es noch einmal.',
  'ui.too_many_requests.minutes_other':
    'Zu viele Anfragen. Warten Sie {{count}} Minuten und versuchen Sie es noch einmal.',

  'ui.reason.session_ended':
    'Ihre Sitzung wurde beendet. Melden Sie sich noch einmal an, um fortzufahren.',
  'ui.reason.confirm_unanswered':
    'Beim Einschalten der Zwei-Faktor-Authentisierung brach die Verbindung ab, und Ihre Sitzung wurde beendet. Möglicherweise ist sie jetzt eingeschaltet. Melden Sie sich noch einmal an und öffnen Sie „Sicherheit“, um zu sehen, was zu tun ist.',
  'ui.reason.logged_out': 'Sie haben sich abgemeldet.',
  'ui.reason.logged_out_elsewhere':
    'Sie haben sich abgemeldet. Melden Sie sich wieder an, um fortzufahren.',
  'ui.reason.code_expired':
    'Die Zeit für die Eingabe des Codes ist abgelaufen. Melden Sie sich noch einmal an.',
  'ui.reason.code_exhausted': 'Zu viele falsche Codes. Melden Sie sich noch einmal an.',
  'ui.reason.link_verified':
    'Ihre E-Mail-Adresse ist bestätigt. Melden Sie sich an, um fortzufahren.',
  'ui.reason.link_expired':
    'Dieser Link ist abgelaufen. Melden Sie sich an und senden Sie einen neuen.',
  'ui.reason.link_invalid':
    'Dieser Link funktioniert nicht. Melden Sie sich an und senden Sie einen neuen.',

  'ui.code.title': 'Geben Sie Ihren Bestätigungscode ein',
  'ui.code.intro': 'Anmeldung als {{email}}.',
  'ui.code.minutes_one': 'Sie haben {{count}} Minute Zeit.',
  'ui.code.minutes_other': 'Sie haben {{count}} Minuten Zeit.',
  'ui.code.label': 'Bestätigungscode aus Ihrer Authenticator-App',
  'ui.code.hint': 'Leerzeichen stören nicht.',
  'ui.code.hint_digits_one': 'Meist {{count}} Ziffer. Leerzeichen stören nicht.',
  'ui.code.hint_digits_other': 'Meist {{count}} Ziffern. Leerzeichen stören nicht.',
  'ui.code.recovery_label': 'Wiederherstellungscode',
  'ui.code.recovery_hint':
    'Einer der Codes, die Sie beim Einschalten gespeichert haben. Jeder funktioniert einmal.',
  'ui.code.use_recovery': 'Wiederherstellungscode verwenden',
  'ui.code.use_app': 'Authenticator-App verwenden',
  'ui.code.submit': 'Weiter',
  'ui.code.submitting': 'Wird geprüft…',
  'ui.code.trust_one': 'In diesem Browser {{count}} Tag lang nicht nach einem Code fragen',
  'ui.code.trust_other': 'In diesem Browser {{count}} Tage lang nicht nach einem Code fragen',
  'ui.code.back': 'Zurück zur Anmeldung',
  'ui.code.required': 'Geben Sie Ihren Bestätigungscode ein',
  'ui.code.time_left': 'Verbleibende Zeit',
  'ui.code.minute_left': 'Noch 1 Minute für die Eingabe des Codes.',
  'ui.code.seconds_left_one': 'Noch {{count}} Sekunde für die Eingabe des Codes.',
  'ui.code.seconds_left_other': 'Noch {{count}} Sekunden für die Eingabe des Codes.',
  'ui.code.lost':
    'Gerät und Wiederherstellungscodes verloren? Wenden Sie sich an die Administration.',

  'ui.verify.title': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'ui.verify.intro':
    'Bestätigen Sie, dass {{email}} Ihnen gehört. Danach können Sie die Verwaltung nutzen.',
  'ui.verify.intro_nameless':
    'Bestätigen Sie, dass Ihre E-Mail-Adresse Ihnen gehört. Danach können Sie die Verwaltung nutzen.',
  'ui.verify.send': 'Bestätigungsmail senden',
  'ui.verify.again': 'Noch einmal senden',
  'ui.verify.sending': 'Wird gesendet…',
  'ui.verify.sent': 'E-Mail gesendet. Sehen Sie auch im Spam-Ordner nach.',
  'ui.verify.sent_minutes_one':
    'E-Mail gesendet. Der Link funktioniert {{count}} Minute lang. Sehen Sie auch im Spam-Ordner nach.',
  'ui.verify.sent_minutes_other':
    'E-Mail gesendet. Der Link funktioniert {{count}} Minuten lang. Sehen Sie auch im Spam-Ordner nach.',
  'ui.verify.wait_one': 'In {{count}} Sekunde können Sie eine weitere senden.',
  'ui.verify.wait_other': 'In {{count}} Sekunden können Sie eine weitere senden.',
  'ui.verify.elsewhere':
    'Haben Sie den Link in einem anderen Tab geöffnet? Diese Seite geht von selbst weiter.',
  'ui.verify.continue': 'Ich habe bestätigt, weiter',
  'ui.verify.not_yet': 'Wir sehen es noch nicht. Öffnen Sie zuerst den Link in der E-Mail.',
  'ui.verify.expired': 'Dieser Link ist abgelaufen. Senden Sie einen neuen.',
  'ui.verify.invalid': 'Dieser Link funktioniert nicht. Senden Sie einen neuen.',
  'ui.verify.done': 'E-Mail-Adresse bestätigt.',

  'ui.security.title': 'Sicherheit',

  'ui.tf.name': 'Zwei-Faktor-Authentisierung',
  'ui.tf.due_zero':
    'Sie haben noch weniger als einen Tag, um sie einzurichten. Danach können Sie die Verwaltung nicht mehr ohne sie nutzen.',
  'ui.tf.due_one':
    'Sie haben noch {{count}} Tag, um sie einzurichten. Danach können Sie die Verwaltung nicht mehr ohne sie nutzen.',
  'ui.tf.due_other':
    'Sie haben noch {{count}} Tage, um sie einzurichten. Danach können Sie die Verwaltung nicht mehr ohne sie nutzen.',

  'ui.bell.name_zero': 'Benachrichtigungen',
  'ui.bell.name_one': 'Benachrichtigungen, {{count}} ungelesen',
  'ui.bell.name_other': 'Benachrichtigungen, {{count}} ungelesen',
  'ui.bell.title': 'Benachrichtigungen',
  'ui.bell.close': 'Benachrichtigungen schließen',
  'ui.bell.mark_all': 'Alle als gelesen markieren',
  'ui.bell.mark': 'Als gelesen markieren: {{title}}',
  'ui.bell.mark_short': 'Als gelesen markieren',
  'ui.bell.unread': 'Ungelesen',
  'ui.bell.new_one': '{{count}} neue Benachrichtigung',
  'ui.bell.new_other': '{{count}} neue Benachrichtigungen',
  'ui.bell.empty_title': 'Sie sind auf dem neuesten Stand',
  'ui.bell.empty_body': 'Neue Benachrichtigungen erscheinen hier.',
  'ui.bell.error': 'Die Benachrichtigungen konnten nicht geladen werden.',
  'ui.bell.loading': 'Benachrichtigungen werden geladen…',
  'ui.bell.all_read': 'Alle Benachrichtigungen sind als gelesen markiert.',
  'ui.bell.one_read_one': 'Als gelesen markiert. {{count}} ungelesen.',
  'ui.bell.one_read_other': 'Als gelesen markiert. {{count}} ungelesen.',
  'ui.bell.external': '(öffnet einen neuen Tab)',
  'ui.bell.limit': 'Die {{limit}} neuesten',

  'ui.session.title': 'Melden Sie sich noch einmal an',
  'ui.session.body':
    'Ihre Sitzung wurde beendet. Melden Sie sich an, um dort weiterzumachen, wo Sie waren.',
  'ui.session.leave': 'Zur Anmeldeseite',

  'ui.nav': 'Verwaltung',

  'ui.skip': 'Zum Inhalt springen',

  'ui.nav.menu': 'Seiten',

  'ui.user.menu': 'Kontomenü: {{name}}',

  'ui.language': 'Sprache',

  'ui.theme': 'Darstellung',
  'ui.theme.system': 'Gerät',
  'ui.theme.light': 'Hell',
  'ui.theme.dark': 'Dunkel',

  'ui.home.title': 'Willkommen, {{name}}',
  'ui.home.title_nameless': 'Willkommen',
  'ui.home.account': 'Ihr Konto',
  'ui.home.factor_on': 'Ein',
  'ui.home.factor_off': 'Aus',
  'ui.home.codes_left_one': '{{count}} Wiederherstellungscode übrig',
  'ui.home.codes_left_other': '{{count}} Wiederherstellungscodes übrig',
  'ui.home.sessions': 'Sitzungen',
  'ui.home.review': 'Sitzungen prüfen',
  'ui.home.unread_one': '{{count}} ungelesen',
  'ui.home.unread_other': '{{count}} ungelesen',
  'ui.home.see_all': 'Alle ansehen',
  'ui.home.name': 'Vor- und Nachname',
  'ui.home.email': 'E-Mail-Adresse',
  'ui.home.last_login': 'Letzte Anmeldung',
  'ui.activity.browser_on': '{{browser}} unter {{system}}',
  'ui.home.protect_title': 'Nächster Schritt: Schützen Sie Ihr Konto',
  'ui.home.protect':
    'Mit der Zwei-Faktor-Authentisierung reicht ein gestohlenes Passwort nicht aus, um sich anzumelden.',
  'ui.home.protect_link': 'Zwei-Faktor-Authentisierung einrichten',

  'ui.not_found.title': 'Seite nicht gefunden',
  'ui.not_found.text':
    'Unter dieser Adresse gibt es nichts. Prüfen Sie sie, oder gehen Sie zur Verwaltung.',
  'ui.not_found.link': 'Zur Verwaltung',

  'ui.unreachable.title': 'Die Verwaltung kann nicht geöffnet werden',

  'ui.reason.password_changed': 'Ihr Passwort ist geändert. Melden Sie sich mit dem neuen an.',
}
