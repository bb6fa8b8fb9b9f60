import { useEffect, useState } from 'react'
import { useText } from '../../src/react/react.ts'

const NEUTRAL_MS = 300

/** Nothing to see for a moment, then that something is on its way. */
export function BootScreen() {
  const text = useText()
  const [pace, setPace] = useState<'quick' | 'slow'>('quick')
  useEffect(() => {
    const timer = setTimeout(setPace, NEUTRAL_MS, 'slow')
    return () => clearTimeout(timer)
  }, [])
  return (
    <main className="svc-boot" aria-busy="true">
      {pace === 'slow' && <h1>{text('ui.loading')}</h1>}
    </main>
  )
}
