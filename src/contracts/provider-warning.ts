/**
 * The property of a user provider with a function that returns a warning for `svc doctor`, or
 * `null`. A symbol, so that a host that spreads the provider keeps it and never sees it.
 */
export const PROVIDER_WARNING: unique symbol = Symbol.for('@svc/auth: warning of a user provider')
