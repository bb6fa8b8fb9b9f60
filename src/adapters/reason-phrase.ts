import { STATUS_CODES } from 'node:http'
import { CSRF_MISMATCH_STATUS } from '../rules/wire.ts'

/**
 * Returns the reason phrase of a status. Node writes "unknown" for 419, which is not registered.
 */
export function reasonOf(status: number): string {
  return status === CSRF_MISMATCH_STATUS ? 'CSRF Token Mismatch' : (STATUS_CODES[status] ?? '')
}
