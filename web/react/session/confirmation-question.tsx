import { useEffect, useState, type ReactNode } from 'react'
import type { AcceptedProofs } from '../../client/client.ts'
import type { ConfirmDialog } from '../confirm/confirm-dialog.tsx'
import { useLocale, usePanelState, useRelease, useSession } from './provider.tsx'

/** A question to the user, with the function that takes the answer. */
interface Question extends AcceptedProofs {
  readonly Dialog: typeof ConfirmDialog
  readonly answer: (isConfirmed: boolean) => void
}

/** Asks the user to confirm when the service demands it, in a dialog that is loaded on demand. */
export function ConfirmationQuestion(): ReactNode {
  const session = useSession()
  const locale = useLocale()
  const release = useRelease()
  const hasEnded = ENDED.has(usePanelState().state)
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    let isMounted = true
    let giveUp: (isConfirmed: false) => void = () => undefined
    const remove = session.onConfirmationRequired(async ({ code }) => {
      const Dialog = await loadDialog(locale)
      if (!isMounted) return false
      if (Dialog === null) {
        void release.ask()
        return false
      }
      return new Promise((answer) => {
        // The clean-up may follow the removal of the page after a while.
        giveUp = answer
        setQuestion({ Dialog, code, answer })
      })
    })
    return () => {
      isMounted = false
      giveUp(false)
      remove()
    }
  }, [session, locale, release])
  // The request goes on without a confirmation if the dialog is removed.
  useEffect(() => () => question?.answer(false), [question])
  if (hasEnded && question !== null) setQuestion(null)
  if (question === null) return null
  const { Dialog, answer, code } = question
  const end = (isConfirmed: boolean) => {
    answer(isConfirmed)
    setQuestion(null)
  }
  return <Dialog code={code} onEnd={end} />
}

/** The states without a session that could be confirmed. */
const ENDED: ReadonlySet<string> = new Set(['guest', 'code', 'password'])

/** Loads a file of its own: few users are asked. Returns `null` if it does not load. */
async function loadDialog(locale: string): Promise<typeof ConfirmDialog | null> {
  try {
    const { ConfirmDialog: Dialog, loadAccountTexts } = await import('../screens/security.tsx')
    await loadAccountTexts(locale)
    return Dialog
  } catch (error) {
    reportError(error)
    return null
  }
}
