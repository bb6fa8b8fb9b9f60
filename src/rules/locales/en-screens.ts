/** The English texts of the screens that the panel shows first. */
export const screens = {
  'ui.title.error': 'Error: {{title}}',

  'ui.error.heading': 'There is a problem',

  'ui.network': 'We could not reach the server. Check your connection and try again.',

  'ui.retry': 'Try again',

  'ui.part.failed': 'This part of the page could not be loaded. Try again.',

  'ui.outdated.title': 'A new version is ready',
  'ui.outdated': 'A new version is ready. Reload the page to use it.',
  'ui.outdated.unsaved': 'What you entered is not saved. Reload the page and lose it?',

  'ui.error.reference': 'Reference: {{id}}',

  'ui.broken.title': 'Something went wrong',
  'ui.broken.text': 'This page could not be shown. Reload it and try again.',

  'ui.logout': 'Log out',
  'ui.impersonation.text': 'You are acting as {{name}}.',
  'ui.impersonation.end': 'Back to your own account',

  'ui.login.title': 'Log in',
  'ui.login.email': 'Email address',
  'ui.login.password': 'Password',
  'ui.login.submit': 'Log in',
  'ui.login.submitting': 'Logging in…',
  'ui.login.help': 'Need help?',
  'ui.login.forgot': 'Forgot your password?',
  'ui.login.remember_one': 'Keep me logged in for {{count}} day',
  'ui.login.remember_other': 'Keep me logged in for {{count}} days',
  'ui.shared_computer': 'Not on a shared computer.',
  'ui.login.email_required': 'Enter your email address',
  'ui.login.password_required': 'Enter your password',
  'ui.login.no_cookies':
    'Your browser did not keep the session. Allow cookies for this site and try again.',

  'ui.password.show': 'Show password',
  'ui.password.show_short': 'Show',
  'ui.password.shown': 'Your password is visible',
  'ui.password.hide': 'Hide password',
  'ui.password.hide_short': 'Hide',
  'ui.password.hidden': 'Your password is hidden',

  'ui.throttle.over': 'You can try again now.',
  'ui.throttle.minutes_one': 'Too many attempts. Try again in {{count}} minute.',
  'ui.throttle.minutes_other': 'Too many attempts. Try again in {{count}} minutes.',

  'ui.too_many_requests.minutes_one': 'Too many requests. Wait {{count}} minute and try again.',
  'ui.too_many_requests.minutes_other': 'Too many requests. Wait {{count}} minutes and try again.',

  'ui.reason.session_ended': 'Your session ended. Log in again to continue.',
  'ui.reason.confirm_unanswered':
    'We lost the connection while turning on two-factor authentication, and your session ended. It may be on now. Log in again and open Security to see what to do.',
  'ui.reason.logged_out': 'You have logged out.',
  'ui.reason.logged_out_elsewhere': 'You have logged out. Log in again to continue.',
  'ui.reason.code_expired': 'You ran out of time to enter the code. Log in again.',
  'ui.reason.code_exhausted': 'Too many incorrect codes. Log in again.',
  'ui.reason.link_verified': 'Your email is verified. Log in to continue.',
  'ui.reason.link_expired': 'That link has expired. Log in and send a new one.',
  'ui.reason.link_invalid': 'That link does not work. Log in and send a new one.',

  'ui.code.title': 'Enter your code',
  'ui.code.intro': 'Logging in as {{email}}.',
  'ui.code.minutes_one': 'You have {{count}} minute.',
  'ui.code.minutes_other': 'You have {{count}} minutes.',
  'ui.code.label': 'Code from your authenticator app',
  'ui.code.hint': 'Spaces are fine.',
  'ui.code.hint_digits_one': 'Usually {{count}} digit. Spaces are fine.',
  'ui.code.hint_digits_other': 'Usually {{count}} digits. Spaces are fine.',
  'ui.code.recovery_label': 'Recovery code',
  'ui.code.recovery_hint': 'One of the codes you saved when you turned this on. Each works once.',
  'ui.code.use_recovery': 'Use a recovery code',
  'ui.code.use_app': 'Use your authenticator app',
  'ui.code.submit': 'Continue',
  'ui.code.submitting': 'Checking…',
  'ui.code.trust_one': 'Do not ask for a code in this browser for {{count}} day',
  'ui.code.trust_other': 'Do not ask for a code in this browser for {{count}} days',
  'ui.code.back': 'Back to log in',
  'ui.code.required': 'Enter your code',
  'ui.code.time_left': 'Time left',
  'ui.code.minute_left': '1 minute left to enter your code.',
  'ui.code.seconds_left_one': '{{count}} second left to enter your code.',
  'ui.code.seconds_left_other': '{{count}} seconds left to enter your code.',
  'ui.code.lost': 'Lost your device and your recovery codes? Ask an administrator.',

  'ui.verify.title': 'Verify your email',
  'ui.verify.intro': 'Confirm that {{email}} is yours. Then you can use the panel.',
  'ui.verify.intro_nameless':
    'Confirm that your email address is yours. Then you can use the panel.',
  'ui.verify.send': 'Send verification email',
  'ui.verify.again': 'Send again',
  'ui.verify.sending': 'Sending…',
  'ui.verify.sent': 'Email sent. Look in your spam folder too.',
  'ui.verify.sent_minutes_one':
    'Email sent. The link works for {{count}} minute. Look in your spam folder too.',
  'ui.verify.sent_minutes_other':
    'Email sent. The link works for {{count}} minutes. Look in your spam folder too.',
  'ui.verify.wait_one': 'You can send another in {{count}} second.',
  'ui.verify.wait_other': 'You can send another in {{count}} seconds.',
  'ui.verify.elsewhere': 'Opened the link in another tab? This page continues by itself.',
  'ui.verify.continue': 'I have verified, continue',
  'ui.verify.not_yet': 'We cannot see it yet. Open the link in the email first.',
  'ui.verify.expired': 'That link has expired. Send a new one.',
  'ui.verify.invalid': 'That link does not work. Send a new one.',
  'ui.verify.done': 'Email verified.',

  'ui.security.title': 'Security',

  'ui.tf.name': 'Two-factor authentication',
  'ui.tf.due_zero':
    'You have less than a day left to set it up. After that, you cannot use the panel without it.',
  'ui.tf.due_one':
    'You have {{count}} day left to set it up. After that, you cannot use the panel without it.',
  'ui.tf.due_other':
    'You have {{count}} days left to set it up. After that, you cannot use the panel without it.',

  'ui.bell.name_zero': 'Notifications',
  'ui.bell.name_one': 'Notifications, {{count}} unread',
  'ui.bell.name_other': 'Notifications, {{count}} unread',
  'ui.bell.title': 'Notifications',
  'ui.bell.close': 'Close notifications',
  'ui.bell.mark_all': 'Mark all as read',
  'ui.bell.mark': 'Mark as read: {{title}}',
  'ui.bell.mark_short': 'Mark as read',
  'ui.bell.unread': 'Unread',
  'ui.bell.new_one': '{{count}} new notification',
  'ui.bell.new_other': '{{count}} new notifications',
  'ui.bell.empty_title': 'You are up to date',
  'ui.bell.empty_body': 'New notifications will appear here.',
  'ui.bell.error': 'Could not load notifications.',
  'ui.bell.loading': 'Loading notifications…',
  'ui.bell.all_read': 'All notifications marked as read.',
  'ui.bell.one_read_one': 'Marked as read. {{count}} unread.',
  'ui.bell.one_read_other': 'Marked as read. {{count}} unread.',
  'ui.bell.external': '(opens in a new tab)',
  'ui.bell.limit': 'Showing the {{limit}} latest',

  'ui.session.title': 'Log in again',
  'ui.session.body': 'Your session ended. Log in to carry on where you were.',
  'ui.session.leave': 'Go to the log in page',

  'ui.nav': 'Panel',

  'ui.skip': 'Skip to the content',

  'ui.nav.menu': 'Pages',

  'ui.user.menu': 'Account menu: {{name}}',

  'ui.language': 'Language',

  'ui.theme': 'Theme',
  'ui.theme.system': 'Device',
  'ui.theme.light': 'Light',
  'ui.theme.dark': 'Dark',

  'ui.home.title': 'Welcome, {{name}}',
  'ui.home.title_nameless': 'Welcome',
  'ui.home.account': 'Your account',
  'ui.home.factor_on': 'On',
  'ui.home.factor_off': 'Off',
  'ui.home.codes_left_one': '{{count}} recovery code left',
  'ui.home.codes_left_other': '{{count}} recovery codes left',
  'ui.home.sessions': 'Sessions',
  'ui.home.review': 'Review sessions',
  'ui.home.unread_one': '{{count}} unread',
  'ui.home.unread_other': '{{count}} unread',
  'ui.home.see_all': 'See all',
  'ui.home.name': 'Name',
  'ui.home.email': 'Email address',
  'ui.home.last_login': 'Last login',
  'ui.activity.browser_on': '{{browser}} on {{system}}',
  'ui.home.protect_title': 'Next step: protect your account',
  'ui.home.protect': 'With two-factor authentication, a stolen password is not enough to log in.',
  'ui.home.protect_link': 'Set up two-factor authentication',

  'ui.not_found.title': 'Page not found',
  'ui.not_found.text': 'There is nothing at this address. Check it, or go to the panel.',
  'ui.not_found.link': 'Go to the panel',

  'ui.unreachable.title': 'The panel cannot be opened',

  'ui.reason.password_changed': 'Your password is changed. Log in with it.',
}
