import { useCallback } from 'react'
import { AlertBox, problemContent } from '../alert-box.tsx'
import type { AlertContent } from '../alert-box.tsx'
import { useTexts } from '../provider.tsx'
import { waitText } from '../refusal-text.ts'
import type { Texts } from '../texts.ts'
import { useWait } from '../use-countdown.ts'
import { useSpoken } from '../use-spoken.ts'
import { isOfCode, noticeText } from './notice.ts'
import type { Notice } from './notice.ts'
import type { Security } from './use-security.ts'

/** What controls are described by that the notice is about. */
export const noticeId = 'svc-security-notice'

export interface SecurityAlertProps {
  readonly security: Security
  /** Said instead of what the page has to say itself. */
  readonly problem: string | null
}

/** The alert of the page, close to what it is about. */
export function SecurityAlert({ security: { notice, say }, problem }: SecurityAlertProps) {
  const texts = useTexts()
  // It may come with a part of the page, and its region has to be there before it.
  const spoken = useSpoken(notice)
  const onWaitOver = useCallback(() => say({ notice: 'wait-over' }), [say])
  const seconds = useWait(spoken?.notice === 'waiting' ? spoken : null, onWaitOver)
  if (problem !== null) return <AlertBox content={problemContent(problem)} focusOn={problem} />
  return (
    <AlertBox
      id={noticeId}
      content={spoken && contentOf(spoken, seconds, texts)}
      focusOn={takesFocus(spoken) ? spoken : null}
    />
  )
}

function contentOf(notice: Notice, seconds: number, texts: Texts): AlertContent {
  if (notice.notice === 'waiting') {
    return {
      tone: 'problem',
      message: waitText(texts.text, notice.key, notice.seconds),
      ticking: waitText(texts.text, notice.key, seconds),
    }
  }
  return {
    tone: notice.notice === 'wait-over' ? 'note' : 'problem',
    message: noticeText(notice, texts),
  }
}

/** Not where a field has it, or where a text was selected to be copied. */
function takesFocus(notice: Notice | null): boolean {
  const isElsewhere = notice?.notice === 'copy-failed' || notice?.notice === 'wait-over'
  return notice !== null && !isElsewhere && !isOfCode(notice)
}
