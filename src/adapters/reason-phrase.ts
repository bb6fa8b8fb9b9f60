import { STATUS_CODES } from 'node:http'
import { CSRF_MISMATCH_STATUS } from '../rules/wire.ts'

/**
 * Returns the reason phrase of a status. Node writes "unknown" for 419, which is not registered.
 */
export function reasonOf(status: number): string {
  return status === CSRF_MISMATCH_STATUS ? 'CSRF Token Mismatch' : (STATUS_CODES[status] ?? '')
}

/** Sets the reason phrase on a response of Node. HTTP/2 has none, and Node warns of one. */
export function setReason(response: { statusMessage?: string }, status: number): void {
  if (!('stream' in response)) response.statusMessage = reasonOf(status)
}
