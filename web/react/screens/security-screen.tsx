import { useCallback, useEffect, useState } from 'react'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { isProblem, PartFailed } from '../session/part-failed.tsx'
import { LogoutButton } from '../session/logout-button.tsx'
import { useLocale, useText } from '../session/provider.tsx'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import type { SecurityPageProps } from '../security/security-page.tsx'
import type { ShownSecurity } from '../security/use-shown.ts'
import { LoadingSection } from '../session/loading-section.tsx'
import { usePart, type PartState } from '../session/use-part.ts'
import { Brand, Heading, PageMain, useScreen, useTitle } from '../session/screen.tsx'
import { BrokenPart } from '../session/broken-part.tsx'
import type { Security } from './security.tsx'

export interface SecurityScreenProps extends Pick<SecurityPageProps, 'twoFactor'> {
  /** Another problem beside the page; `null` for none. */
  readonly problem: string | null
  /** Reason for the gate; `null` if the user has opened the page. */
  readonly reason?: string | null
}

/** Renders the security page; its heading follows the state of the second factor. */
export function SecurityScreen({
  problem,
  reason = null,
  twoFactor = 'bound',
}: SecurityScreenProps) {
  const title = useText()('ui.security.title')
  const locale = useLocale()
  const [part, fetchPart] = usePart(useCallback(async () => loadSecurity(locale), [locale]))
  useEffect(() => void fetchPart(), [fetchPart])
  const [shown, setShown] = useState<ShownSecurity>({ title, problem: 'none', question: null })
  const isWrong = part.state === 'loaded' ? shown.problem === 'shown' : isProblem(part)
  useTitle(shown.title, isWrong || problem !== null ? 'shown' : 'none')
  useQuestion(shown.question)
  // The pressed retry button is gone: the heading takes the focus.
  const failures = part.state === 'loaded' ? part.failures : 0
  return (
    <PageMain>
      {reason !== null && shown.title === title && <p data-svc-part="forced">{reason}</p>}
      <Heading key={`${shown.title} ${failures}`}>{shown.title}</Heading>
      <SecurityPart
        part={part}
        problem={problem}
        twoFactor={twoFactor}
        onRetry={() => void fetchPart()}
        onShown={setShown}
      />
    </PageMain>
  )
}

/** Passes the question to the host; withdraws it when the page is removed. */
function useQuestion(question: string | null): void {
  const { onQuestion } = useScreen()
  useEffect(() => {
    onQuestion(question)
    return () => onQuestion(null)
  }, [onQuestion, question])
}

interface SecurityPartProps extends Required<Pick<SecurityScreenProps, 'problem' | 'twoFactor'>> {
  readonly part: PartState<typeof Security>
  readonly onRetry: () => void
  readonly onShown: (shown: ShownSecurity) => void
}

function SecurityPart({ part, problem, twoFactor, onRetry, onShown }: SecurityPartProps) {
  const { name } = useScreen()
  const title = useText()(twoFactor === 'bound' ? 'ui.tf.name' : 'ui.login.password')
  switch (part.state) {
    case 'loading':
      return (
        <>
          <AlertBox content={problemContent(problem)} focusOn={problem} />
          <LoadingSection title={title} />
        </>
      )
    case 'failed':
      return <PartFailed part={part} problem={problem} onRetry={onRetry} />
    case 'loaded':
      return (
        <ErrorBoundary fallback={<BrokenPart problem={problem} />} resetOn="">
          <part.content panel={name} twoFactor={twoFactor} problem={problem} onShown={onShown} />
        </ErrorBoundary>
      )
  }
}

/** Loads a file of its own: most users never open this page. */
async function loadSecurity(locale: string): Promise<typeof Security> {
  const { Security, loadAccountTexts } = await import('./security.tsx')
  await loadAccountTexts(locale)
  return Security
}

/** Renders the set-up of a required second factor. Its only other action is logging out. */
export function SecurityGate() {
  const text = useText()
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <>
      <header className="svc-header" data-svc-part="screen-header">
        <Brand />
        <LogoutButton onProblem={setProblem} />
      </header>
      <SecurityScreen problem={problem} reason={text('svc::auth.two_factor_setup_required')} />
    </>
  )
}
