import type { OwnHandle } from './driver.ts'

const open = new Set<() => void>()

/**
 * Returns what closes a handle, and closes it when the process ends without. The WAL is then
 * checkpointed, and no native object outlives its environment.
 */
export function closedAtExit(handle: Pick<OwnHandle, 'close'>) {
  let isOpen = true
  /** Closes the handle. Idempotent. */
  function close(): void {
    if (!isOpen) return
    isOpen = false
    open.delete(close)
    if (open.size === 0) process.off('exit', closeAll)
    handle.close()
  }
  if (open.size === 0) process.on('exit', closeAll)
  open.add(close)
  return { isOpen: () => isOpen, close }
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
