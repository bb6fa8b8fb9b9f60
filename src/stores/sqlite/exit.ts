const open = new Set<() => void>()

/**
 * Closes a database when the process ends without closing it. The WAL is then checkpointed, and no
 * native object outlives its environment.
 *
 * @returns a function that cancels this, for a database that was closed.
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
      // The process ends anyway, and the file stays intact: the WAL holds every commit.
    }
  }
}
