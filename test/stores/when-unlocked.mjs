/**
 * Repeats a write that others kept waiting for too long, as on a busy machine; nothing of it is stored.
 *
 * @template Result
 * @param {() => Promise<Result>} write
 * @returns {Promise<Result>}
 */
export async function whenUnlocked(write) {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (error.cause?.message !== 'database is locked') throw error
    }
  }
}
