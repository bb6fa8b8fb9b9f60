import { useEffect, useState } from 'react'

/** Delays an initial message until its region exists, so that screen readers announce it. */
export function useSpoken<Message>(message: Message | null): Message | null {
  const [spoken, setSpoken] = useState<Message | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(message), 0)
    return () => clearTimeout(timer)
  }, [message])
  return spoken
}
