/** The English texts that no script of a page has: of fields, mails and HTML; for developers. */
export const server = {
  'svc::auth.field.email.required': 'Enter your email address.',
  'svc::auth.field.password.required': 'Enter your password.',
  'svc::auth.field.type': 'Send this field as text.',
  'svc::auth.field.length_one': 'Use at most {{count}} character.',
  'svc::auth.field.length_other': 'Use at most {{count}} characters.',
  'svc::auth.field.characters': 'Remove the characters that cannot be used here.',
  'svc::auth.field.code.required': 'Enter your code.',
  'svc::auth.field.panel.unknown': 'Name one of the panels of this service.',
  'svc::auth.field.device.required': 'Enter a name for the app.',
  'svc::auth.field.token.required': 'Open the link in the email again.',
  'svc::auth.field.current_password.required': 'Enter your current password.',
  'svc::auth.field.password.short_one': 'Use at least {{count}} character.',
  'svc::auth.field.password.short_other':
    'Use at least {{count}} characters. A few words you can remember are good.',
  'svc::auth.field.password.repeated':
    'This password repeats the same few characters. Choose another.',
  'svc::auth.field.password.personal':
    'Do not use your email address, your name or the name of the panel. Choose another password.',
  'svc::auth.field.password.common': 'Many people use this password. Choose another.',
  'svc::auth.field.password.refused': 'This password cannot be used here. Choose another.',
  'svc::auth.origin_unlisted':
    'The origin {{origin}} is not listed. If it is the address of the panel, set app.url (APP_URL) to it; otherwise add "{{entry}}" to session_auth.stateful. Then restart the service.',
  'svc::auth.body_consumed':
    'Another body parser has read the body of this request. Mount the service before it.',
  'ui.noscript': 'This panel needs JavaScript. Turn it on in your browser and reload the page.',
  'ui.boot.slow': 'This takes longer than usual.',
  'mail.verify.subject': 'Verify your email for {{panel}}',
  'mail.verify.intro': 'Confirm that this is your email address.',
  'mail.verify.button': 'Verify email',
  'mail.verify.lifetime_one':
    'The link works for {{count}} minute. If you did not ask for this, you can ignore this email.',
  'mail.verify.lifetime_other':
    'The link works for {{count}} minutes. If you did not ask for this, you can ignore this email.',

  'mail.reset.subject': 'Choose a new password for {{panel}}',
  'mail.reset.intro': 'You can choose a new password with this link.',
  'mail.reset.button': 'Choose a new password',
  'mail.reset.lifetime_one':
    'The link works once, for {{count}} minute. If you did not ask for this, you can ignore this email: your password stays as it is.',
  'mail.reset.lifetime_other':
    'The link works once, for {{count}} minutes. If you did not ask for this, you can ignore this email: your password stays as it is.',

  'mail.invite.subject': 'Your account for {{panel}}',
  'mail.invite.intro': 'There is an account for you. Choose your password to use it.',
  'mail.invite.button': 'Choose your password',
  'mail.invite.lifetime_one':
    'The link works once, for {{count}} day. If you do not expect an account, you can ignore this email.',
  'mail.invite.lifetime_other':
    'The link works once, for {{count}} days. If you do not expect an account, you can ignore this email.',

  'mail.changed.subject': 'Your password for {{panel}} was changed',
  'mail.changed.intro':
    'Your password was changed. If it was you, there is nothing to do: your other sessions have ended.',
  'mail.changed.button': 'Choose a new password',
  'mail.changed.undo':
    'If it was not you, choose a new password with this link now, and tell the people who run {{panel}}.',

  'mail.new_login.subject': 'New login to {{panel}}',
  'mail.new_login.intro':
    'Somebody has logged in to your account: {{browser}}, network {{network}}, {{time}}. If it was you, there is nothing to do.',
  'mail.new_login.button': 'This was not me',
  'mail.new_login.closing_one':
    'If it was not you, open this link. You can then end every session of your account. The link works once, for {{count}} day.',
  'mail.new_login.closing_other':
    'If it was not you, open this link. You can then end every session of your account. The link works once, for {{count}} days.',
  'mail.new_login.bell_title': 'Login from a new place: {{browser}}',
  'mail.new_login.bell_body':
    'Network {{network}}. If it was not you, end that session and choose a new password.',
  'mail.new_login.browser_on': '{{browser}} on {{system}}',
  'mail.new_login.unknown_browser': 'Unknown browser',
  'mail.new_login.unknown_network': 'unknown',
}
