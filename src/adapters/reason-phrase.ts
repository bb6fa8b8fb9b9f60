import { STATUS_CODES } from 'node:http'

/**
 * Returns the reason phrase of a status. Node writes "unknown" for 419, which is not registered.
 */
export function reasonOf(status: number): string {
  return status === 419 ? 'CSRF Token Mismatch' : (STATUS_CODES[status] ?? '')
}
