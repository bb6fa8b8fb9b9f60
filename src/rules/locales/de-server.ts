/** The German texts that no script of a page has: of fields, mails and HTML; for developers. */
export const server = {
  'svc::auth.field.email.required': 'Geben Sie Ihre E-Mail-Adresse ein.',
  'svc::auth.field.password.required': 'Geben Sie Ihr Passwort ein.',
  'svc::auth.field.type': 'Senden Sie dieses Feld als Text.',
  'svc::auth.field.length_one': 'Verwenden Sie höchstens {{count}} Zeichen.',
  'svc::auth.field.length_other': 'Verwenden Sie höchstens {{count}} Zeichen.',
  'svc::auth.field.characters':
    'Entfernen Sie die Zeichen, die hier nicht verwendet werden können.',
  'svc::auth.field.code.required': 'Geben Sie Ihren Bestätigungscode ein.',
  'svc::auth.field.panel.unknown': 'Nennen Sie eine der Verwaltungen dieses Dienstes.',
  'svc::auth.field.device.required': 'Geben Sie einen Namen für die App ein.',
  'svc::auth.field.token.required': 'Öffnen Sie den Link in der E-Mail noch einmal.',
  'svc::auth.field.current_password.required': 'Geben Sie Ihr aktuelles Passwort ein.',
  'svc::auth.field.password.short_one': 'Verwenden Sie mindestens {{count}} Zeichen.',
  'svc::auth.field.password.short_other':
    'Verwenden Sie mindestens {{count}} Zeichen. Gut sind einige Wörter, die Sie sich merken können.',
  'svc::auth.field.password.repeated':
    'Dieses Passwort wiederholt dieselben wenigen Zeichen. Wählen Sie ein anderes.',
  'svc::auth.field.password.personal':
    'Verwenden Sie weder Ihre E-Mail-Adresse noch Ihren Namen oder den Namen der Verwaltung. Wählen Sie ein anderes Passwort.',
  'svc::auth.field.password.common':
    'Dieses Passwort verwenden viele Menschen. Wählen Sie ein anderes.',
  'svc::auth.field.password.refused':
    'Dieses Passwort kann hier nicht verwendet werden. Wählen Sie ein anderes.',
  'svc::auth.origin_unlisted':
    'Die Herkunft {{origin}} ist nicht eingetragen. Ist sie die Adresse der Verwaltung, setzen Sie app.url (APP_URL) darauf; sonst fügen Sie "{{entry}}" zu session_auth.stateful hinzu. Starten Sie danach den Dienst neu.',
  'svc::auth.body_consumed':
    'Ein anderer Parser hat den Inhalt dieser Anfrage bereits gelesen. Binden Sie den Dienst vor ihm ein.',
  'ui.noscript':
    'Diese Verwaltung benötigt JavaScript. Schalten Sie es in Ihrem Browser ein und laden Sie die Seite neu.',
  'ui.boot.slow': 'Das dauert länger als gewöhnlich.',
  'mail.verify.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für {{panel}}',
  'mail.verify.intro': 'Bestätigen Sie, dass dies Ihre E-Mail-Adresse ist.',
  'mail.verify.button': 'E-Mail-Adresse bestätigen',
  'mail.verify.lifetime_one':
    'Der Link funktioniert {{count}} Minute lang. Wenn Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  'mail.verify.lifetime_other':
    'Der Link funktioniert {{count}} Minuten lang. Wenn Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren.',

  'mail.reset.subject': 'Wählen Sie ein neues Passwort für {{panel}}',
  'mail.reset.intro': 'Mit diesem Link können Sie ein neues Passwort wählen.',
  'mail.reset.button': 'Neues Passwort wählen',
  'mail.reset.lifetime_one':
    'Der Link funktioniert einmal, {{count}} Minute lang. Wenn Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.',
  'mail.reset.lifetime_other':
    'Der Link funktioniert einmal, {{count}} Minuten lang. Wenn Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.',

  'mail.invite.subject': 'Ihr Konto für {{panel}}',
  'mail.invite.intro':
    'Für Sie wurde ein Konto angelegt. Wählen Sie Ihr Passwort, um es zu verwenden.',
  'mail.invite.button': 'Passwort wählen',
  'mail.invite.lifetime_one':
    'Der Link funktioniert einmal, {{count}} Tag lang. Wenn Sie kein Konto erwarten, können Sie diese E-Mail ignorieren.',
  'mail.invite.lifetime_other':
    'Der Link funktioniert einmal, {{count}} Tage lang. Wenn Sie kein Konto erwarten, können Sie diese E-Mail ignorieren.',

  'mail.changed.subject': 'Ihr Passwort für {{panel}} wurde geändert',
  'mail.changed.intro':
    'Ihr Passwort wurde geändert. Wenn Sie das waren, brauchen Sie nichts zu tun: Ihre anderen Sitzungen wurden beendet.',
  'mail.changed.button': 'Neues Passwort wählen',
  'mail.changed.undo':
    'Wenn Sie das nicht waren, wählen Sie mit diesem Link sofort ein neues Passwort, und informieren Sie die Betreiber von {{panel}}.',

  'mail.new_login.subject': 'Neue Anmeldung bei {{panel}}',
  'mail.new_login.intro':
    'Jemand hat sich bei Ihrem Konto angemeldet: {{browser}}, Netzwerk {{network}}, {{time}}. Wenn Sie das waren, brauchen Sie nichts zu tun.',
  'mail.new_login.button': 'Das war ich nicht',
  'mail.new_login.closing_one':
    'Wenn Sie das nicht waren, öffnen Sie diesen Link. Sie können dann jede Sitzung Ihres Kontos beenden. Der Link funktioniert einmal, {{count}} Tag lang.',
  'mail.new_login.closing_other':
    'Wenn Sie das nicht waren, öffnen Sie diesen Link. Sie können dann jede Sitzung Ihres Kontos beenden. Der Link funktioniert einmal, {{count}} Tage lang.',
  'mail.new_login.bell_title': 'Anmeldung von einem neuen Ort: {{browser}}',
  'mail.new_login.bell_body':
    'Netzwerk {{network}}. Wenn Sie das nicht waren, beenden Sie diese Sitzung und wählen Sie ein neues Passwort.',
  'mail.new_login.browser_on': '{{browser}} unter {{system}}',
  'mail.new_login.unknown_browser': 'Unbekannter Browser',
  'mail.new_login.unknown_network': 'unbekannt',
}
