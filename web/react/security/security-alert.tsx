import { useCallback } from 'react'
import { useMessageId } from '../parts/element-id.ts'
import { AlertBox, problemContent, type AlertContent } from '../session/alert-box.tsx'
import { useTexts } from '../session/provider.tsx'
import { waitTexts } from '../session/refusal-text.ts'
import type { Texts } from '../texts/texts.ts'
import { useWait } from '../parts/use-countdown.ts'
import { useDelayedMessage } from '../parts/use-delayed-message.ts'
import { isAboutCode, noticeText, type Notice } from './notice.ts'
import type { Security } from './use-security.ts'

export interface SecurityAlertProps {
  readonly security: Security
  /** Shown instead of the page's own notice. */
  readonly problem: string | null
}

/** Renders the page's alert close to its subject. */
export function SecurityAlert({ security: { notice, showNotice }, problem }: SecurityAlertProps) {
  const texts = useTexts()
  const id = useMessageId()
  // The notice may appear together with its section, but screen readers need the region first.
  const spoken = useDelayedMessage(notice)
  const onWaitOver = useCallback(() => showNotice({ notice: 'wait-over' }), [showNotice])
  const seconds = useWait(spoken?.notice === 'waiting' ? spoken : null, onWaitOver)
  if (problem !== null) return <AlertBox content={problemContent(problem)} focusOn={problem} />
  return (
    <AlertBox
      id={id}
      content={spoken && contentOf(spoken, seconds, texts)}
      focusOn={takesFocus(spoken) ? spoken : null}
    />
  )
}

function contentOf(notice: Notice, seconds: number, texts: Texts): AlertContent {
  if (notice.notice === 'waiting')
    return { tone: 'problem', ...waitTexts(texts.text, notice, seconds) }
  return {
    tone: notice.notice === 'wait-over' ? 'note' : 'problem',
    message: noticeText(notice, texts),
  }
}

/** Returns `false` if a field takes the focus, or if a text was selected for copying. */
function takesFocus(notice: Notice | null): boolean {
  const isElsewhere = notice?.notice === 'copy-failed' || notice?.notice === 'wait-over'
  return notice !== null && !isElsewhere && !isAboutCode(notice)
}
