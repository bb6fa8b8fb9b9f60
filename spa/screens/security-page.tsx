import { lazy, Suspense, useState } from 'react'
import { AlertBox, LogoutButton, problemContent, useText } from '../../src/react/react.ts'
import { Brand, Heading, useTitle } from '../screen.tsx'

/** A file of its own: most people never open it. */
const Security = lazy(async () => ({ default: (await import('./security.tsx')).Security }))

/** S4 inside the panel: what there is below the heading. */
export function SecurityPage() {
  return (
    <Suspense fallback={null}>
      <Security />
    </Suspense>
  )
}

/** S4 forced: nothing else can be reached before the second factor is set up, but the way out. */
export function SecurityGate() {
  const text = useText()
  const [problem, setProblem] = useState<string | null>(null)
  useTitle(text('ui.security.title'), problem === null ? 'none' : 'shown')
  return (
    <>
      <header className="svc-header">
        <Brand />
        <LogoutButton onProblem={setProblem} />
      </header>
      <main className="svc-page">
        <AlertBox content={problemContent(problem)} focusOn={problem} />
        <p data-svc-part="forced">{text('svc::auth.two_factor_setup_required')}</p>
        <Heading>{text('ui.security.title')}</Heading>
        <Suspense fallback={null}>
          <Security />
        </Suspense>
      </main>
    </>
  )
}
