/** The English texts of answers and of the pages of the service. */
export const service = {
  'svc::auth.unauthenticated': 'Log in to continue.',
  'svc::auth.csrf_mismatch': 'This page is out of date. Reload it and try again.',
  'svc::auth.origin_mismatch':
    'This request did not come from the panel. Open the panel and try again.',
  'svc::auth.failed': 'Email or password is incorrect. Check both and try again.',
  'svc::auth.throttle_one': 'Too many attempts. Try again in {{count}} second.',
  'svc::auth.throttle_other': 'Too many attempts. Try again in {{count}} seconds.',
  'svc::auth.too_many_requests_one': 'Too many requests. Wait {{count}} second and try again.',
  'svc::auth.too_many_requests_other': 'Too many requests. Wait {{count}} seconds and try again.',
  'svc::auth.invalid': 'Some fields need your attention. Correct them and try again.',
  'svc::auth.two_factor_invalid': 'That code is not right. Try the newest code in the app.',
  'svc::auth.two_factor_attempts_one': 'That code is not right. {{count}} attempt left.',
  'svc::auth.two_factor_attempts_other': 'That code is not right. {{count}} attempts left.',
  'svc::auth.two_factor_exhausted': 'Too many incorrect codes. Log in again.',
  'svc::auth.two_factor_expired': 'You ran out of time to enter the code. Log in again.',
  'svc::auth.two_factor_setup_missing':
    'The set-up took too long. Start over and scan the new code.',
  'svc::auth.two_factor_already_enabled': 'Two-factor authentication is on already.',
  'svc::auth.required_cannot_disable':
    'Your role requires two-factor authentication, so it cannot be turned off.',
  'svc::auth.two_factor_devices_full': 'You have five apps already. Remove one to add another.',
  'svc::auth.two_factor_last_device':
    'This is your only app. Add another one before you remove it.',
  'svc::auth.two_factor_setup_required':
    'Two-factor authentication is required. Set it up to continue to the panel.',
  'svc::auth.confirmation_required': 'Confirm that it is you to continue.',
  'svc::auth.verification_invalid': 'That link does not work. Log in and send a new one.',
  'svc::auth.email_verification_required': 'Verify your email address to continue.',
  'svc::auth.impersonated':
    'You are acting as another person. Go back to your own account to do this.',
  'svc::auth.not_found': 'There is nothing at this address. Check it and try again.',
  'svc::auth.method_not_allowed': 'This address does not answer {{method}}. Use {{allowed}}.',
  'svc::auth.unsupported_media_type': 'Send the body as application/json in UTF-8, uncompressed.',
  'svc::auth.malformed': 'The body is not well-formed JSON in UTF-8. Correct it and try again.',
  'svc::auth.too_large_one': 'The body is too large. Send at most {{count}} byte.',
  'svc::auth.too_large_other': 'The body is too large. Send at most {{count}} bytes.',
  'svc::auth.unavailable': 'Something went wrong on our side. Try again in a moment.',
  'ui.loading': 'Loading…',
  'ui.reload': 'Reload',
  'svc::auth.password_incorrect': 'Your current password is not right. Check it and try again.',
  'svc::auth.password_link_invalid':
    'That link has expired or was used already. Ask for a new one.',

  'svc::auth.session_current': 'This is the session that you are using. Log out to end it.',
  'svc::auth.session_link_invalid': 'That link has expired or was used already.',
}
