import { useEffect, useState } from 'react'

/** Delays an initial message until its region exists, so that screen readers announce it. */
export function useDelayedMessage<Message>(message: Message | null): Message | null {
  const [delayed, setDelayed] = useState<Message | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(message), 0)
    return () => clearTimeout(timer)
  }, [message])
  return delayed
}
