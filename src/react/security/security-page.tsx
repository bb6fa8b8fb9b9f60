import { useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { Button } from '../button.tsx'
import { LoadingSection } from '../loading-section.tsx'
import { useText } from '../provider.tsx'
import type { Problem } from '../use-problem.ts'
import { isProblem } from './notice.ts'
import { OffSection } from './off-section.tsx'
import { OnSection } from './on-section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { Factor } from './second-factor.ts'
import { Section } from './section.tsx'
import { SecurityAlert } from './security-alert.tsx'
import type { SecurityAlertProps } from './security-alert.tsx'
import { SetUpSection } from './set-up-section.tsx'
import { useSecurity } from './use-security.ts'

export interface SecurityPageProps {
  /** Name of the panel, for the file with the recovery codes. */
  readonly panel: string
  /** Something else that is wrong on this page, such as a logout that failed. Default: nothing. */
  readonly problem?: string | null
  /** Told what the page is about now: its heading, which is drawn outside, takes the focus when it changes. */
  readonly onShown?: (shown: ShownSecurity) => void
}

export interface ShownSecurity {
  readonly title: string
  readonly problem: Problem
  /** What a router asks before it leads away, in the panel's language; `null`: nothing. */
  readonly question: string | null
}

/** The second factor of the person: off, being set up, its recovery codes, on. */
export function SecurityPage({ panel, problem = null, onShown }: SecurityPageProps) {
  const security = useSecurity()
  const { factor, notice } = security
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfter(factor, heading)
  const [question, setQuestion] = useState<string | null>(null)
  const isWrong = problem !== null || isProblem(notice)
  useShown(factor, { problem: isWrong ? 'shown' : 'none', question }, onShown)

  // There the alert is beside the field that it is about.
  if (factor.state === 'setting-up') {
    return <SetUpSection factor={factor} security={security} problem={problem} heading={heading} />
  }
  return (
    <>
      <SecurityAlert security={security} problem={problem} />
      <FactorContent security={security} heading={heading} panel={panel} onQuestion={setQuestion} />
    </>
  )
}

interface FactorContentProps extends Pick<SecurityAlertProps, 'security'> {
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly panel: string
  readonly onQuestion: (question: string | null) => void
}

function FactorContent({ security, heading, ...codes }: FactorContentProps) {
  const text = useText()
  const { factor } = security
  switch (factor.state) {
    case 'loading':
      return <LoadingSection title={text('ui.tf.name')} />
    case 'unknown':
      return (
        <Section title={text('ui.tf.name')} heading={heading}>
          <div data-svc-part="actions">
            <Button
              part="retry"
              busy={security.doing === 'looking'}
              onPress={() => void security.look()}
            >
              {text('ui.retry')}
            </Button>
          </div>
        </Section>
      )
    case 'off':
      return <OffSection factor={factor} security={security} heading={heading} />
    case 'on':
      return <OnSection factor={factor} security={security} heading={heading} />
    case 'codes':
      return <RecoveryCodes {...codes} factor={factor} security={security} />
    case 'setting-up':
      return null
  }
}

/** What the person did has led to another section, or to another image: its heading tells them. */
function useFocusAfter(factor: Factor, heading: RefObject<HTMLHeadingElement | null>): void {
  const place = placeOf(factor)
  const before = useRef<string | null>(null)
  useLayoutEffect(() => {
    const from = before.current
    before.current = place
    // There the heading of the page has the focus.
    if (from !== null && from !== 'loading' && from !== 'codes') heading.current?.focus()
  }, [place, heading])
}

/** What the focus follows: another image, or a button that is gone, is another place. */
function placeOf(factor: Factor): string {
  if (factor.state === 'setting-up') return factor.qrCode
  return factor.state === 'on' && factor.codesUnseen ? 'on-unseen' : factor.state
}

function useShown(
  { state }: Factor,
  { problem, question }: Omit<ShownSecurity, 'title'>,
  onShown: SecurityPageProps['onShown'],
): void {
  const text = useText()
  const title = text(state === 'codes' ? 'ui.rc.title' : 'ui.security.title')
  // Before it is painted: the heading says what is below it.
  useLayoutEffect(
    () => onShown?.({ title, problem, question }),
    [onShown, title, problem, question],
  )
}
