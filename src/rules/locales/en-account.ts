/** The English texts of the parts that the panel loads on demand. */
export const account = {
  'ui.tf.status_on': 'On',
  'ui.tf.status_off': 'Off',
  'ui.tf.off_intro': 'Add a second step when you log in: a code from an app on your phone.',
  'ui.tf.on_intro': 'You enter a code each time you log in.',
  'ui.tf.setup': 'Set up',
  'ui.tf.continue_setup': 'Continue set-up',
  'ui.tf.setup_title': 'Set up two-factor authentication',
  'ui.tf.step': 'Step {{step}} of {{steps}}',
  'ui.tf.scan': 'Scan this with an authenticator app.',
  'ui.tf.scan_title': 'Scan',
  'ui.tf.key_title': 'Add the key',
  'ui.tf.key': 'Copy this key into an authenticator app.',
  'ui.tf.apps': 'For example Google Authenticator, Microsoft Authenticator or 1Password.',
  'ui.tf.other_device': 'Is the app on another device? Scan this QR code.',
  'ui.tf.enter_title': 'Enter the code',
  'ui.tf.qr_alt': 'QR code that adds this account to an authenticator app',
  'ui.tf.manual': 'Cannot scan it? Type this key into the app.',
  'ui.tf.copy_key': 'Copy set-up key',
  'ui.tf.copied': 'Copied',
  'ui.tf.copy_failed': 'Could not copy. Select the text and copy it yourself.',
  'ui.tf.confirm_label': 'Code shown by the app',
  'ui.tf.turn_on': 'Turn on',
  'ui.tf.turning_on': 'Checking…',
  'ui.tf.start_over': 'Start over',
  'ui.tf.cancel': 'Cancel',
  'ui.tf.clock_hint': 'Still not working? Check that your phone sets its clock automatically.',
  'ui.tf.turn_off': 'Turn off',
  'ui.tf.turn_off_title': 'Turn off two-factor authentication?',
  'ui.tf.turn_off_body':
    'You will log in with your password only. Your recovery codes stop working.',
  'ui.tf.turn_off_yes': 'Turn off',
  'ui.tf.turn_off_no': 'Keep it on',
  'ui.tf.turned_off': 'Two-factor authentication is off.',

  'ui.rc.title': 'Save your recovery codes',
  'ui.rc.on': 'Two-factor authentication is on.',
  'ui.rc.intro':
    'Each code works once if you lose your device. This is the only time they are shown.',
  'ui.rc.list': 'Recovery codes',
  'ui.rc.copy': 'Copy',
  'ui.rc.download': 'Download',
  'ui.rc.print': 'Print',
  'ui.rc.file': 'Recovery codes of {{email}} for {{panel}} at {{host}}, {{date}}',
  'ui.rc.ack': 'I have saved these codes',
  'ui.rc.ack_needed': 'Tick the box first.',
  'ui.rc.done': 'Done',
  'ui.rc.leave': 'Your recovery codes will not be shown again. Leave anyway?',
  'ui.rc.lost':
    'Two-factor authentication is on, but we could not show your recovery codes. Turn it off and set it up again to get codes.',
  'ui.rc.lost_required':
    'Two-factor authentication is on, but we could not show your recovery codes. Ask an administrator to reset it.',
  'ui.rc.unseen':
    'You have not confirmed that your recovery codes are saved. If you do not have them, turn two-factor authentication off and set it up again.',
  'ui.rc.unseen_required':
    'You have not confirmed that your recovery codes are saved. If you do not have them, ask an administrator to reset two-factor authentication.',
  'ui.rc.seen': 'I have saved my codes',
  'ui.rc.left_zero': 'You have no recovery codes left.',
  'ui.rc.left_one': '{{count}} recovery code left.',
  'ui.rc.left_other': '{{count}} recovery codes left.',
  'ui.rc.renew': 'To get new ones, turn two-factor authentication off and set it up again.',
  'ui.rc.renew_required':
    'To get new ones, ask an administrator to reset two-factor authentication.',

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
}
