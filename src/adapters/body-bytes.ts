/**
 * Reads the chunks of a body up to a limit.
 *
 * @param hasLeft Returns whether the client went away: a stream that fails then is no outage, as nobody waits for the
 * answer.
 * @returns `null` when there are more bytes than the limit, or the client went away.
 */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  limitBytes: number,
  hasLeft: () => boolean,
): Promise<Uint8Array | null> {
  const kept: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > limitBytes) return null
      kept.push(chunk)
    }
  } catch (error) {
    if (hasLeft()) return null
    throw error
  }
  return Buffer.concat(kept)
}
