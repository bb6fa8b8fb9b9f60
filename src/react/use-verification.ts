import { useCallback, useState } from 'react'
import type { MailOutcome, PanelSession, Refusal } from '../client/client.ts'
import { useAnnounce, useSession, useTexts } from './provider.tsx'
import { refusalText, waitKeyOf } from './refusal-text.ts'
import type { WaitKey } from './refusal-text.ts'
import { waitOf } from './use-countdown.ts'
import type { Wait } from './use-countdown.ts'

/** Minimum pause between two mails, where the service itself would send another at once. */
const COOLDOWN_SECONDS = 20

/** Message of the screen, besides its fixed texts. */
export type VerificationNotice =
  /** `arrived`: the user has done nothing yet, and the reason for being here is still shown. */
  | { readonly notice: 'arrived' | 'none' | 'sent' | 'not-yet' }
  | { readonly notice: 'failed'; readonly message: string }
  | { readonly notice: 'refused'; readonly key: WaitKey; readonly wait: Wait }

/** Initial state of the screen. */
interface Arrival {
  /** Lifetime of the mail's link. */
  readonly linkMinutes: number
  /** Reason why the link that opened the panel failed; it is announced first. */
  readonly brokenLink: 'expired' | 'invalid' | null
}

/** Provides the verification screen's behaviour. */
export function useVerification(sentText: string, arrival: Arrival) {
  const session = useSession()
  const texts = useTexts()
  const announce = useAnnounce()
  const [sent] = useState(() => sentBeforeReload(session, arrival))
  const isSaid = sent !== null && arrival.brokenLink === null
  const [notice, setNotice] = useState<VerificationNotice>({ notice: isSaid ? 'sent' : 'arrived' })
  const [wait, setWait] = useState<Wait | null>(sent?.wait ?? null)
  const [sentBefore, setSentBefore] = useState<'sent' | null>(sent && 'sent')
  const [busy, setBusy] = useState<'sending' | 'asking' | null>(null)

  const waitOver = useCallback(() => {
    setWait(null)
    setNotice((now) => (now.notice === 'refused' ? { notice: 'none' } : now))
  }, [])

  const failed = useCallback((message: string | null) => {
    setNotice(message === null ? { notice: 'none' } : { notice: 'failed', message })
  }, [])

  async function send(): Promise<void> {
    setBusy('sending')
    // Screen readers only announce changes: clear the text before repeating it.
    announce('')
    const mail = await session.sendVerification()
    if (mail.outcome !== 'busy') setBusy(null)
    follow(mail)
  }

  function follow(mail: MailOutcome): void {
    switch (mail.outcome) {
      case 'busy':
        return
      case 'sent':
        setSentBefore('sent')
        setNotice({ notice: 'sent' })
        setWait(waitOf(waitSeconds(mail.retryAfterSeconds)))
        announce(sentText)
        return
      case 'unneeded':
        setNotice({ notice: 'none' })
        return
      case 'unreachable':
        failed(texts.text('ui.network'))
        return
      case 'refused':
        refused(mail.refusal)
    }
  }

  function refused(refusal: Refusal): void {
    const key = waitKeyOf(refusal)
    if (key === null) {
      failed(refusalText(texts, refusal))
      return
    }
    const wait = waitOf(refusal.retry_after ?? 0)
    setWait(wait)
    setNotice({ notice: 'refused', key, wait })
  }

  /** Checks at once, for users who do not want to wait for the next poll. */
  async function resume(): Promise<void> {
    setBusy('asking')
    const { outcome } = await session.refresh()
    setBusy(null)
    if (outcome === 'unreachable') failed(texts.text('ui.network'))
    else setNotice({ notice: 'not-yet' })
  }

  return { notice, wait, sentBefore, busy, send, resume, failed, waitOver }
}

function waitSeconds(retryAfterSeconds: number): number {
  return Math.max(COOLDOWN_SECONDS, retryAfterSeconds)
}

/** Returns the mail that was sent before the page was reloaded, while its link is valid. */
function sentBeforeReload(session: PanelSession, { linkMinutes }: Arrival) {
  const mail = session.sentMail()
  if (mail === null) return null
  // A system clock that was set back must not extend a wait.
  const passed = Math.max(0, Math.floor((Date.now() - mail.sentAt) / 1000))
  if (passed >= linkMinutes * 60) return null
  const left = waitSeconds(mail.retryAfterSeconds) - passed
  return { wait: left > 0 ? waitOf(left) : null }
}
