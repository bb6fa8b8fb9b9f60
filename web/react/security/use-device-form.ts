import { useCallback, useEffect, useState, type RefObject } from 'react'
import { useAnnounce, useSession } from '../session/provider.tsx'
import type { DeviceForm } from './device-page.tsx'
import type { Security } from './use-security.ts'

/** Keeps which form about the devices is open, and the result of the last one in words. */
export function useDeviceForm(
  { factor, requestStatus }: Pick<Security, 'factor' | 'requestStatus'>,
  heading: RefObject<HTMLHeadingElement | null>,
) {
  const session = useSession()
  const announce = useAnnounce()
  const [form, setForm] = useState<DeviceForm | null>(null)
  const [closed, setClosed] = useState<{ readonly done: string | null } | null>(null)
  // The heading is there again once the form is closed, whose buttons have cleared what they said.
  useEffect(() => {
    if (closed === null) return
    heading.current?.focus()
    announce(closed.done ?? '')
  }, [announce, closed, heading])
  // What was said and begun is about a second factor that is off.
  if (factor.state !== 'on' && (form !== null || closed !== null)) {
    setForm(null)
    setClosed(null)
  }
  /** Closes the form. @param done `null` if the user has cancelled it. */
  const onEnd = useCallback(
    async (done: string | null) => {
      if (done !== null) {
        session.channel.send('two-factor-changed')
        // The list must not contradict the result.
        await requestStatus()
      }
      setForm(null)
      setClosed({ done })
    },
    [session, requestStatus],
  )
  return { form, done: closed?.done ?? null, setForm, onEnd }
}
