const open = new Set<() => void>()

/**
 * Closes a database when the process ends without doing it: its WAL is then written back, and no native object
 * outlives the environment that it belongs to.
 *
 * @returns Forgets it, once it is closed.
 */
export function closeAtExit(close: () => void): () => void {
  if (open.size === 0) process.on('exit', closeAll)
  open.add(close)
  return () => {
    open.delete(close)
    if (open.size === 0) process.off('exit', closeAll)
  }
}

function closeAll(): void {
  for (const close of open) {
    try {
      close()
    } catch {
      // The process ends all the same, and the file is whole: what was committed is in its WAL.
    }
  }
}
