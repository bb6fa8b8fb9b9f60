import { useEffect, useState } from 'react'
import { useLanguageAttributes, useText } from '../session/provider.tsx'

const NEUTRAL_MS = 300

/** Renders nothing for a moment, then a loading indicator. */
export function BootScreen() {
  const text = useText()
  const [wait] = useState(waitNow)
  const [pace, setPace] = useState<'quick' | 'slow'>(wait === 0 ? 'slow' : 'quick')
  useEffect(() => {
    const timer = setTimeout(setPace, wait, 'slow')
    return () => clearTimeout(timer)
  }, [wait])
  return (
    <main {...useLanguageAttributes()} className="svc-boot" aria-busy="true">
      {pace === 'slow' && <h1>{text('ui.loading')}</h1>}
    </main>
  )
}

/**
 * Returns the delay: an indicator that the document already shows must not flicker when the script
 * takes over.
 */
function waitNow(): number {
  return bootMark() === null ? NEUTRAL_MS : Math.max(0, NEUTRAL_MS - performance.now())
}

/** Returns `null` on a server, too, which renders this screen for every visitor. */
function bootMark(): Element | null {
  return globalThis.document?.querySelector('[data-svc-boot]') ?? null
}

/** Removes the indicator that the document shows until the script has loaded. */
export function removeBootMark(): void {
  bootMark()?.remove()
}
