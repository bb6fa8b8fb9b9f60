import { useLayoutEffect, useReducer, useRef, useState, type ReactNode } from 'react'
import { newPasswords } from '../../../src/rules/panel-limits.ts'
import { FormId, useElementId } from '../parts/element-id.ts'
import { AlertBox, problemContent } from '../session/alert-box.tsx'
import { usePanelState, useSession, useText } from '../session/provider.tsx'
import type { Problem } from '../session/use-problem.ts'
import { ChangePasswordForm } from '../password/change-password-form.tsx'
import type { ChangePasswordFormProps } from '../password/change-password-form.tsx'
import { AccountTexts } from '../session/account-texts-loaded.tsx'
import { AccountChanges } from './account-changes.tsx'
import { ActivitySection } from './activity-section.tsx'
import { FactorPage, type FactorPageProps } from './factor-page.tsx'
import { PasswordSection, type PasswordSectionProps } from './password-section.tsx'
import type { Factor } from './second-factor.ts'
import { Section } from './section.tsx'
import { SectionProblems } from './section-problems.ts'
import { SessionsSection } from './sessions-section.tsx'
import { TrustedDevicesSection } from './trusted-devices-section.tsx'
import { useShown, type ShownSecurity } from './use-shown.ts'

/** The properties of `SecurityPage`. */
export interface SecurityPageProps extends Pick<FactorPageProps, 'panel' | 'problem'> {
  /** `absent`: the service has no second factor. Default: `bound`. */
  readonly twoFactor?: 'bound' | 'absent'
  /**
   * Called with the page's current subject: the heading outside takes the focus when it changes.
   */
  readonly onShown?: (shown: ShownSecurity) => void
}

/**
 * Renders the user's password, if the session has `passwords`, the second factor: off, set-up,
 * recovery codes, on, the sessions of the user, if the session has `sessions`, the trusted devices,
 * if it has `trustDays`, and the latest security events, if it has `activity`.
 *
 * @example
 * ```tsx
 * const Security = () => (
 *   <PanelGuard otherwise={<LoginForm />}>
 *     <SecurityPage panel="Example Shop" />
 *   </PanelGuard>
 * )
 * ```
 */
export function SecurityPage(props: SecurityPageProps) {
  const id = useElementId()
  return (
    <AccountTexts>
      <AccountChanges>
        <FormId.Provider value={id}>
          <Sections {...props} />
        </FormId.Provider>
      </AccountChanges>
    </AccountTexts>
  )
}

function Sections({ twoFactor = 'bound', ...page }: SecurityPageProps) {
  const { passwords, sessions, trustDays, activity } = useSession()
  // A gate asks for the second factor alone.
  const isReady = usePanelState().state === 'ready'
  const [form, setForm] = useState<FormState>({ state: 'closed', returned: null })
  const [wrong, count] = useReducer((sum: number, change: 1 | -1) => sum + change, 0)
  if (form.state === 'open') {
    const onEnd = (returned: 'changed' | 'cancelled') => setForm({ state: 'closed', returned })
    return <FormPage {...page} least={form.least} onEnd={onEnd} />
  }
  const sectionFor = (least: number) =>
    passwords && isReady ? (
      <PasswordSection
        returned={form.returned}
        onChange={() => setForm({ state: 'open', least })}
      />
    ) : null
  const below = isReady && (
    <SectionProblems.Provider value={count}>
      {sessions && <SessionsSection />}
      {trustDays !== null && <TrustedDevicesSection />}
      {activity && <ActivitySection />}
    </SectionProblems.Provider>
  )
  const inSections = wrong > 0 ? 'shown' : 'none'
  return twoFactor === 'bound' ? (
    <FactorPage
      {...page}
      inSections={inSections}
      sectionAbove={({ state }) => sectionFor(leastWith(state))}
      sectionsBelow={below}
    />
  ) : (
    <PlainPage {...page} inSections={inSections}>
      {sectionFor(newPasswords.leastCharacters)}
      {below}
    </PlainPage>
  )
}

function leastWith(factor: Factor['state']): number {
  const { leastCharacters, leastCharactersWithFactor } = newPasswords
  return factor === 'on' ? leastCharactersWithFactor : leastCharacters
}

/** The form that changes the password. While it is open, it is the only section of the page. */
type FormState =
  | ({ readonly state: 'open' } & Pick<ChangePasswordFormProps, 'least'>)
  | { readonly state: 'closed'; readonly returned: PasswordSectionProps['returned'] }

type PageProps = Omit<SecurityPageProps, 'twoFactor'>
type FormPageProps = PageProps & Pick<ChangePasswordFormProps, 'least' | 'onEnd'>

function FormPage({ problem = null, onShown, least, onEnd }: FormPageProps) {
  const text = useText()
  const title = text('ui.security.title')
  const heading = useRef<HTMLHeadingElement>(null)
  const [inForm, setInForm] = useState<Problem>('none')
  useShown({ title, problem: problem === null ? inForm : 'shown', question: null }, onShown)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <Section title={text('ui.change_password.title')} heading={heading}>
      <ChangePasswordForm least={least} problem={problem} onEnd={onEnd} onProblem={setInForm} />
    </Section>
  )
}

interface PlainPageProps extends PageProps, Pick<FactorPageProps, 'inSections'> {
  readonly children: ReactNode
}

/** Renders a page without a second factor. */
function PlainPage({ problem = null, onShown, inSections, children }: PlainPageProps) {
  const title = useText()('ui.security.title')
  useShown({ title, problem: problem === null ? inSections : 'shown', question: null }, onShown)
  return (
    <>
      <AlertBox content={problemContent(problem)} focusOn={problem} />
      {children}
    </>
  )
}
