/**
 * Reads the chunks of a body up to a limit.
 *
 * @param hasLeft Returns `true` if the client has disconnected: the stream then fails without an
 *   outage, because nobody waits for the answer.
 * @returns `null` if the body exceeds the limit, or the client has disconnected.
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
