import { CSRF_MISMATCH_STATUS } from './wire.ts'

/** The statuses of answers, as labels. `other`: one that only middleware of the host answers. */
export const MEASURED_STATUSES: readonly string[] = [
  ...[200, 204, 302, 303, 400, 401, 403, 404, 405, 409, 411, 413, 415].map(String),
  ...[CSRF_MISMATCH_STATUS, 422, 429, 431, 500, 503].map(String),
  'other',
]
