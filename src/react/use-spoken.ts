import { useEffect, useState } from 'react'

/** A message that is there from the start: it comes in after the region that speaks it. */
export function useSpoken<Message>(message: Message | null): Message | null {
  const [spoken, setSpoken] = useState<Message | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(message), 0)
    return () => clearTimeout(timer)
  }, [message])
  return spoken
}
