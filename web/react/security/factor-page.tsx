import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Button } from '../parts/button.tsx'
import { LoadingSection } from '../session/loading-section.tsx'
import { useText } from '../session/provider.tsx'
import type { Problem } from '../session/use-problem.ts'
import { DevicePage } from './device-page.tsx'
import { useDeviceForm } from './use-device-form.ts'
import { isProblem } from './notice.ts'
import { OffSection } from './off-section.tsx'
import { OnSection, type OnSectionProps } from './on-section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { Factor } from './second-factor.ts'
import { Section } from './section.tsx'
import { SecurityAlert, type SecurityAlertProps } from './security-alert.tsx'
import { SetUpSection } from './set-up-section.tsx'
import { useShown, type ShownSecurity } from './use-shown.ts'
import { useSecurity } from './use-security.ts'

export interface FactorPageProps {
  /** Name of the panel, for the file with the recovery codes. */
  readonly panel: string
  /** Another problem on this page, such as a failed logout. Default: none. */
  readonly problem?: string | null
  readonly onShown?: (shown: ShownSecurity) => void
  /** Renders the section above the second factor. It is not shown during a set-up. */
  readonly sectionAbove: (factor: Factor) => ReactNode
  /** `shown` while one of the other sections shows an error. */
  readonly inSections: Problem
  /** The sections below the second factor. They are not shown beside its recovery codes. */
  readonly sectionsBelow: ReactNode
}

/** Renders the second factor of the user: off, set-up, recovery codes, on. */
export function FactorPage({
  panel,
  problem = null,
  onShown,
  inSections,
  sectionAbove,
  sectionsBelow,
}: FactorPageProps) {
  const text = useText()
  const security = useSecurity()
  const { factor, notice } = security
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfter(factor, heading)
  const [question, setQuestion] = useState<string | null>(null)
  const { form, done, setForm, onEnd } = useDeviceForm(security, heading)
  const [inForm, setInForm] = useState<Problem>('none')
  const inRest = form === null ? inSections : inForm
  const isWrong = problem !== null || isProblem(notice) || inRest === 'shown'
  const title = text(factor.state === 'codes' ? 'ui.rc.title' : 'ui.security.title')
  useShown({ title, problem: isWrong ? 'shown' : 'none', question }, onShown)

  // In this state the alert is beside its field.
  if (factor.state === 'setting-up')
    return <SetUpSection factor={factor} security={security} problem={problem} heading={heading} />
  if (factor.state === 'on' && form !== null)
    return <DevicePage form={form} problem={problem} onEnd={onEnd} onProblem={setInForm} />
  return (
    <>
      <SecurityAlert security={security} problem={problem} />
      {factor.state !== 'codes' && sectionAbove(factor)}
      <FactorContent
        security={security}
        heading={heading}
        panel={panel}
        done={done}
        onQuestion={setQuestion}
        onDevices={setForm}
      />
      {factor.state !== 'codes' && sectionsBelow}
    </>
  )
}

interface FactorContentProps
  extends Pick<SecurityAlertProps, 'security'>, Pick<OnSectionProps, 'done' | 'onDevices'> {
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly panel: string
  readonly onQuestion: (question: string | null) => void
}

function FactorContent({ security, heading, done, onDevices, ...codes }: FactorContentProps) {
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
              busy={security.action === 'requesting-status'}
              onPress={() => void security.requestStatus()}
            >
              {text('ui.retry')}
            </Button>
          </div>
        </Section>
      )
    case 'off':
      return <OffSection factor={factor} security={security} heading={heading} />
    case 'on':
      return (
        <OnSection
          factor={factor}
          security={security}
          heading={heading}
          done={done}
          onDevices={onDevices}
        />
      )
    case 'codes':
      return <RecoveryCodes {...codes} factor={factor} security={security} />
    case 'setting-up':
      return null
  }
}

/** Focuses the heading after the user's action has opened another section or image. */
function useFocusAfter(factor: Factor, heading: RefObject<HTMLHeadingElement | null>): void {
  const place = focusKeyOf(factor)
  const before = useRef<string | null>(null)
  useLayoutEffect(() => {
    const from = before.current
    before.current = place
    // In these states the heading of the page has the focus.
    if (from !== null && from !== 'loading' && from !== 'codes') heading.current?.focus()
  }, [place, heading])
}

/** Returns a key that changes when the focus must move: another image, or a removed button. */
function focusKeyOf(factor: Factor): string {
  if (factor.state === 'setting-up') return factor.qrCode
  return factor.state === 'on' && factor.codesUnseen ? 'on-unseen' : factor.state
}
