import type { StoredForm } from './factor-store.ts'

/** Creates the form of another system, whose errors show nothing of what is stored. */
export function quietForm<Value>(form: StoredForm<Value>): StoredForm<Value> {
  return {
    read(stored, userId) {
      try {
        return form.read(stored, userId)
      } catch (error) {
        throw error instanceof SyntaxError ? notJson(userId) : error
      }
    },
    write: (value, userId) => form.write(value, userId),
  }
}

/** Replaces the error of `JSON.parse`, which quotes the text, such as recovery codes. */
function notJson(userId: string): Error {
  return new Error(`what is stored of the second factor of the user ${userId} is not JSON`)
}
