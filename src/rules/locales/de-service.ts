/** The German texts of answers and of the pages of the service. */
export const service = {
  'svc::auth.unauthenticated': 'Melden Sie sich an, um fortzufahren.',
  'svc::auth.csrf_mismatch':
    'Diese Seite ist veraltet. Laden Sie sie neu und versuchen Sie es noch einmal.',
  'svc::auth.origin_mismatch':
    'Diese Anfrage kam nicht aus der Verwaltung. Öffnen Sie die Verwaltung und versuchen Sie es noch einmal.',
  'svc::auth.failed':
    'E-Mail-Adresse oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es noch einmal.',
  'svc::auth.throttle_one': 'Zu viele Versuche. Versuchen Sie es in {{count}} Sekunde noch einmal.',
  'svc::auth.throttle_other':
    'Zu viele Versuche. Versuchen Sie es in {{count}} Sekunden noch einmal.',
  'svc::auth.too_many_requests_one':
    'Zu viele Anfragen. Warten Sie {{count}} Sekunde und versuchen Sie es noch einmal.',
  'svc::auth.too_many_requests_other':
    'Zu viele Anfragen. Warten Sie {{count}} Sekunden und versuchen Sie es noch einmal.',
  'svc::auth.invalid':
    'Einige Angaben stimmen noch nicht. Korrigieren Sie sie und versuchen Sie es noch einmal.',
  'svc::auth.two_factor_invalid':
    'Dieser Code ist falsch. Versuchen Sie es mit dem neuesten Code der App.',
  'svc::auth.two_factor_attempts_one': 'Dieser Code ist falsch. Noch {{count}} Versuch.',
  'svc::auth.two_factor_attempts_other': 'Dieser Code ist falsch. Noch {{count}} Versuche.',
  'svc::auth.two_factor_exhausted': 'Zu viele falsche Codes. Melden Sie sich noch einmal an.',
  'svc::auth.two_factor_expired':
    'Die Zeit für die Eingabe des Codes ist abgelaufen. Melden Sie sich noch einmal an.',
  'svc::auth.two_factor_setup_missing':
    'Die Einrichtung hat zu lange gedauert. Beginnen Sie von vorn und scannen Sie den neuen Code.',
  'svc::auth.two_factor_already_enabled':
    'Die Zwei-Faktor-Authentisierung ist bereits eingeschaltet.',
  'svc::auth.required_cannot_disable':
    'Ihre Rolle verlangt die Zwei-Faktor-Authentisierung. Sie kann daher nicht ausgeschaltet werden.',
  'svc::auth.two_factor_devices_full':
    'Sie haben bereits fünf Apps. Entfernen Sie eine, um eine andere hinzuzufügen.',
  'svc::auth.two_factor_last_device':
    'Dies ist Ihre einzige App. Fügen Sie eine andere hinzu, bevor Sie sie entfernen.',
  'svc::auth.two_factor_setup_required':
    'Die Zwei-Faktor-Authentisierung ist vorgeschrieben. Richten Sie sie ein, um in die Verwaltung zu gelangen.',
  'svc::auth.confirmation_required': 'Bestätigen Sie Ihre Identität, um fortzufahren.',
  'svc::auth.verification_invalid':
    'Dieser Link funktioniert nicht. Melden Sie sich an und senden Sie einen neuen.',
  'svc::auth.email_verification_required': 'Bestätigen Sie Ihre E-Mail-Adresse, um fortzufahren.',
  'svc::auth.impersonated':
    'Sie handeln im Namen einer anderen Person. Kehren Sie dafür zu Ihrem eigenen Konto zurück.',
  'svc::auth.not_found':
    'Unter dieser Adresse gibt es nichts. Prüfen Sie sie und versuchen Sie es noch einmal.',
  'svc::auth.method_not_allowed':
    'Diese Adresse antwortet nicht auf {{method}}. Verwenden Sie {{allowed}}.',
  'svc::auth.unsupported_media_type':
    'Senden Sie den Inhalt als application/json in UTF-8, ohne Komprimierung.',
  'svc::auth.malformed':
    'Der Inhalt ist kein wohlgeformtes JSON in UTF-8. Korrigieren Sie ihn und versuchen Sie es noch einmal.',
  'svc::auth.too_large_one': 'Der Inhalt ist zu groß. Senden Sie höchstens {{count}} Byte.',
  'svc::auth.too_large_other': 'Der Inhalt ist zu groß. Senden Sie höchstens {{count}} Byte.',
  'svc::auth.unavailable': 'Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
  'ui.loading': 'Wird geladen…',
  'ui.reload': 'Neu laden',
  'svc::auth.password_incorrect':
    'Ihr aktuelles Passwort ist falsch. Prüfen Sie es und versuchen Sie es noch einmal.',
  'svc::auth.password_link_invalid':
    'Dieser Link ist abgelaufen oder wurde bereits verwendet. Fordern Sie einen neuen an.',

  'svc::auth.session_current':
    'Dies ist die Sitzung, die Sie gerade verwenden. Melden Sie sich ab, um sie zu beenden.',
  'svc::auth.session_link_invalid': 'Dieser Link ist abgelaufen oder wurde bereits verwendet.',
}
