import type { PlainReply } from '../contracts/host.ts'

/** Returns the body of a reply: the fields of a JSON object, or else its text. */
export function parseReplyBody(body: PlainReply['body']): Record<string, unknown> | string {
  if (typeof body !== 'string') return ''
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : body
  } catch {
    return body
  }
}
