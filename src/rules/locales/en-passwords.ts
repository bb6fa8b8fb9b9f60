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
} as const
