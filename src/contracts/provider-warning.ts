/**
 * The property of a user provider with a warning for `svc doctor`. A symbol, so that a host that
 * spreads the provider keeps it and never sees it.
 */
export const PROVIDER_WARNING: unique symbol = Symbol.for('@svc/auth: warning of a user provider')
