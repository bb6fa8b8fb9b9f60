/** The addresses of the API, as docs/http-api.md names them. */
export const API = '/svc/api'
export const LOGIN = `${API}/login`
export const LOGOUT = `${API}/logout`
export const USER = `${API}/user`

export const CODE_STEP = `${LOGIN}/two-factor`
export const FACTOR = `${API}/two-factor`
export const SETUP = `${FACTOR}/setup`
export const DEVICES = `${FACTOR}/devices`
export const CONFIRM_DEVICE = `${DEVICES}/confirm`
export const CONFIRM = `${FACTOR}/confirm`
export const CODES_SEEN = `${FACTOR}/recovery-codes/seen`

export const CONFIRM_SESSION = `${API}/confirm`

export const PASSWORD_ROUTE = `${API}/password`
export const ACTIVITY = `${API}/activity`
export const FORGOT = `${PASSWORD_ROUTE}/forgot`
export const RESET = `${PASSWORD_ROUTE}/reset`

export const SESSIONS = `${API}/sessions`
export const DISOWN = `${SESSIONS}/disown`
export const IMPERSONATION = `${API}/impersonation`
export const TRUSTED_DEVICES = `${API}/trusted-devices`

export const SEND_LINK = `${API}/email/verification-notification`

export const BELL = `${API}/notifications`
export const UNREAD_COUNT = `${BELL}/unread-count`
export const READ_ALL = `${BELL}/read-all`
export const STREAM = `${BELL}/stream`
