/** Returns a time in UTC to the second, which sorts and can be pasted into a search of logs. */
export function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}
