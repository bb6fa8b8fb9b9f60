import { useState } from 'react'
import { impersonatorOf, type PanelUser } from '../../client/client.ts'
import { AlertBox, problemContent } from './alert-box.tsx'
import { Button } from '../parts/button.tsx'
import { isolated } from '../parts/isolated.ts'
import { useLanguageAttributes, useSession, useTexts, useUser } from './provider.tsx'
import { problemOf } from './refusal-text.ts'

/** The properties of `ImpersonationBanner`. */
export interface ImpersonationBannerProps {
  /** `bottom`: at the lower edge of the window. `here`: where it is rendered. Default: `bottom`. */
  readonly place?: 'bottom' | 'here'
}

/**
 * Renders who is acted as, and the way back to the own account, for a person who acts as another
 * user; nothing otherwise. `PanelGate` and `mountScreens` have it already.
 *
 * @example
 * ```tsx
 * const Page = () => (
 *   <PanelGuard otherwise={null}>
 *     <ImpersonationBanner place="here" />
 *     <h1>Orders</h1>
 *   </PanelGuard>
 * )
 * ```
 */
export function ImpersonationBanner({ place = 'bottom' }: ImpersonationBannerProps) {
  const user = useUser()
  return user !== null && impersonatorOf(user) !== null ? (
    <Banner user={user} place={place} />
  ) : null
}

interface BannerProps extends Required<ImpersonationBannerProps> {
  readonly user: PanelUser
}

function Banner({ user, place }: BannerProps) {
  const { text } = useTexts()
  const { isSending, problem, goBack } = useWayBack()
  const note = text('ui.impersonation.text', { name: isolated(user.name ?? user.email) })
  return (
    <section
      {...useLanguageAttributes()}
      aria-label={note}
      data-svc-root=""
      data-svc-part="impersonation"
      data-place={place}
    >
      <p>{note}</p>
      <Button part="secondary" busy={isSending} onPress={() => void goBack()}>
        {text('ui.impersonation.end')}
      </Button>
      <AlertBox content={problemContent(problem)} />
    </section>
  )
}

function useWayBack() {
  const session = useSession()
  const texts = useTexts()
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function goBack() {
    setProblem(null)
    setIsSending(true)
    const result = await session.endImpersonation()
    setIsSending(false)
    setProblem(problemOf(result, texts))
  }
  return { isSending, problem, goBack }
}
