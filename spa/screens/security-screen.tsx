import { lazy, Suspense, useState } from 'react'
import { LogoutButton, useText } from '../../src/react/react.ts'
import type { ShownSecurity } from '../../src/react/react.ts'
import { useLeaveGuard } from '../leave-guard.ts'
import { usePage } from '../page.ts'
import { Brand, Heading, useTitle } from '../screen.tsx'

/** A file of its own. */
const Security = lazy(async () => ({ default: (await import('./security.tsx')).Security }))

export interface SecurityScreenProps {
  /** Something that is wrong beside the page; `null`: nothing. */
  readonly problem: string | null
  /** Why the person has to be here; `null`: they have come by themselves. */
  readonly reason?: string | null
}

/** S4: the second factor, below a heading that follows it. */
export function SecurityScreen({ problem, reason = null }: SecurityScreenProps) {
  const title = useText()('ui.security.title')
  const { name } = usePage()
  const [shown, setShown] = useState<ShownSecurity>({ title, problem: 'none', question: null })
  useTitle(shown.title, shown.problem)
  useLeaveGuard(shown.question)
  return (
    <main className="svc-page svc-security">
      {reason !== null && shown.title === title && <p data-svc-part="forced">{reason}</p>}
      <Heading key={shown.title}>{shown.title}</Heading>
      <Suspense fallback={null}>
        <Security panel={name} problem={problem} onShown={setShown} />
      </Suspense>
    </main>
  )
}

/** S4 forced: nothing else can be reached before the second factor is set up, but the way out. */
export function SecurityGate() {
  const text = useText()
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <>
      <header className="svc-header">
        <Brand />
        <LogoutButton onProblem={setProblem} />
      </header>
      <SecurityScreen problem={problem} reason={text('svc::auth.two_factor_setup_required')} />
    </>
  )
}
