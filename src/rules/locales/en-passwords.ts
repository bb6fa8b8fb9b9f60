/** The English texts of the passwords layer: its refusals and its mails. */
export const passwordTexts = {
  'svc::auth.password_incorrect': 'Your current password is not right. Check it and try again.',
  'svc::auth.password_link_invalid':
    'That link has expired or was used already. Ask for a new one.',
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

  'ui.reason.password_changed': 'Your password is changed. Log in with it.',
  'ui.forgot.title': 'Reset your password',
  'ui.forgot.intro_one':
    'Enter your email address. If it belongs to an account, we send a link that works for {{count}} minute.',
  'ui.forgot.intro_other':
    'Enter your email address. If it belongs to an account, we send a link that works for {{count}} minutes.',
  'ui.forgot.submit': 'Send the link',
  'ui.forgot.sent_title': 'Check your email',
  'ui.forgot.sent': 'If {{email}} belongs to an account, a link is on its way.',
  'ui.forgot.nothing': 'Nothing there? Look in your spam folder, or send the link again.',
  'ui.new_password.title': 'Choose a new password',
  'ui.new_password.first_title': 'Choose your password',
  'ui.new_password.intro': 'For the account of {{email}}.',
  'ui.new_password.welcome': 'Welcome. With this password you log in as {{email}}.',
  'ui.new_password.label': 'New password',
  'ui.new_password.rule_one':
    'At least {{count}} character. A few words you can remember are good.',
  'ui.new_password.rule_other':
    'At least {{count}} characters. A few words you can remember are good.',
  'ui.new_password.required': 'Enter a new password',
  'ui.new_password.submit': 'Save password',
  'ui.new_password.submitting': 'Saving…',
  'ui.strength.short': 'Too short',
  'ui.strength.weak': 'Easy to guess',
  'ui.strength.good': 'Good',
  'ui.strength.strong': 'Strong',
  'ui.dead_link.over_title': 'This link no longer works',
  'ui.dead_link.over': 'It has expired or was used already. Send yourself a new one.',
  'ui.dead_link.missing_title': 'This page needs the link from your email',
  'ui.dead_link.missing': 'Open the link in the email again, or send yourself a new one.',
  'ui.dead_link.again': 'Send a new link',
  'ui.change_password.purpose': 'The password that you log in with.',
  'ui.change_password.open': 'Change password',
  'ui.change_password.title': 'Change your password',
  'ui.change_password.intro': 'Your other sessions will be logged out. This one goes on.',
  'ui.change_password.current': 'Current password',
  'ui.change_password.current_required': 'Enter your current password',
  'ui.change_password.done':
    'Your password is changed. Your other sessions are logged out, and this one goes on.',
} as const
