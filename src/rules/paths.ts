/** The path of the API, independent of the panel's prefix. */
export const API_PATH = '/svc/api'

/**
 * The method and the path of every route, which is all that a client needs of it. `{name}` stands
 * for one segment. Paths are below `API_PATH` and matched byte for byte.
 */
export const paths = {
  csrf: { method: 'GET', path: '/csrf-cookie' },
  login: { method: 'POST', path: '/login' },
  'login.two-factor': { method: 'POST', path: '/login/two-factor' },
  logout: { method: 'POST', path: '/logout' },
  user: { method: 'GET', path: '/user' },
  'two-factor': { method: 'GET', path: '/two-factor' },
  'two-factor.setup': { method: 'POST', path: '/two-factor/setup' },
  'two-factor.confirm': { method: 'POST', path: '/two-factor/confirm' },
  'two-factor.codes-seen': { method: 'POST', path: '/two-factor/recovery-codes/seen' },
  'two-factor.disable': { method: 'DELETE', path: '/two-factor' },
  confirm: { method: 'POST', path: '/confirm' },
  'two-factor.devices.begin': { method: 'POST', path: '/two-factor/devices' },
  'two-factor.devices.confirm': { method: 'POST', path: '/two-factor/devices/confirm' },
  'two-factor.devices.remove': { method: 'POST', path: '/two-factor/devices/{id}/remove' },
  'password.change': { method: 'PUT', path: '/password' },
  'password.forgot': { method: 'POST', path: '/password/forgot' },
  'password.reset': { method: 'POST', path: '/password/reset' },
  sessions: { method: 'GET', path: '/sessions' },
  'sessions.end': { method: 'DELETE', path: '/sessions/{id}' },
  'sessions.end-others': { method: 'DELETE', path: '/sessions' },
  'sessions.disown': { method: 'POST', path: '/sessions/disown' },
  'impersonation.end': { method: 'DELETE', path: '/impersonation' },
  activity: { method: 'GET', path: '/activity' },
  'trusted-devices': { method: 'GET', path: '/trusted-devices' },
  'trusted-devices.end': { method: 'DELETE', path: '/trusted-devices/{id}' },
  'svc.email.send': { method: 'POST', path: '/email/verification-notification' },
  'svc.email.verify': { method: 'GET', path: '/email/verify/{id}/{hash}' },
  notifications: { method: 'GET', path: '/notifications' },
  'notifications.unread-count': { method: 'GET', path: '/notifications/unread-count' },
  'notifications.read': { method: 'POST', path: '/notifications/{id}/read' },
  'notifications.read-all': { method: 'POST', path: '/notifications/read-all' },
  'notifications.stream': { method: 'GET', path: '/notifications/stream' },
  openapi: { method: 'GET', path: '/openapi.json' },
} as const satisfies Readonly<Record<string, Endpoint>>

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
}

export type RouteName = keyof typeof paths
