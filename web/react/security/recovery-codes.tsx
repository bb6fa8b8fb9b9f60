import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { useLanguageAttributes, useSession, useText } from '../session/provider.tsx'
import { untranslated } from '../parts/untranslated.ts'
import { CopyButton } from './copy-button.tsx'
import { describeCodes, downloadCodes } from './save-codes.ts'
import { reportSaved, type Codes } from './second-factor.ts'
import type { Security } from './use-security.ts'
import { useLeaveQuestion } from './use-leave-question.ts'
import { useElementId } from '../parts/element-id.ts'

export interface RecoveryCodesProps {
  readonly factor: Codes
  readonly security: Security
  /** Name of the panel. */
  readonly panel: string
  /** Called with the question to ask before the user leaves the page; `null` for none. */
  readonly onQuestion: (question: string | null) => void
}

/** Renders step 2: the recovery codes, which are shown once and must be saved. */
export function RecoveryCodes({ factor, security, panel, onQuestion }: RecoveryCodesProps) {
  const text = useText()
  const [isSaved, setIsSaved] = useState(false)
  const isSending = security.action === 'confirming-saved'
  useConfirmOnLeave(isSaved && !isSending)
  const question = isSaved ? null : text('ui.rc.leave')
  useLeaveQuestion(question)
  useEffect(() => {
    onQuestion(question)
    return () => onQuestion(null)
  }, [onQuestion, question])
  return (
    <section {...useLanguageAttributes()} aria-label={text('ui.rc.list')} data-svc-part="recovery">
      <p data-svc-part="note">{text('ui.rc.on')}</p>
      <p>{text('ui.rc.intro')}</p>
      <CodesToSave factor={factor} security={security} panel={panel} />
      <ConfirmSaved
        isSaved={isSaved}
        onSaved={setIsSaved}
        isSending={isSending}
        onConfirm={() => void security.confirmSaved(factor)}
      />
    </section>
  )
}

interface ConfirmSavedProps {
  readonly isSaved: boolean
  readonly onSaved: (isSaved: boolean) => void
  readonly isSending: boolean
  readonly onConfirm: () => void
}

/** Renders the box to tick, and the button that is unavailable until then. */
function ConfirmSaved({ isSaved, onSaved, isSending, onConfirm }: ConfirmSavedProps) {
  const text = useText()
  const neededId = useElementId()
  return (
    <>
      <label data-svc-part="check">
        <input
          type="checkbox"
          checked={isSaved}
          onChange={({ currentTarget }) => onSaved(currentTarget.checked)}
        />
        {text('ui.rc.ack')}
      </label>
      <div data-svc-part="actions">
        <Button
          part="submit"
          waitsFor={isSaved ? null : neededId}
          busy={isSending}
          onPress={onConfirm}
        >
          {text('ui.rc.done')}
        </Button>
        {!isSaved && (
          <p id={neededId} data-svc-part="hint">
            {text('ui.rc.ack_needed')}
          </p>
        )}
      </div>
    </>
  )
}

/**
 * Confirms for a user who has ticked the box and leaves without pressing the button.
 *
 * @param isDue `true` while the box is ticked and no confirmation is on its way.
 */
function useConfirmOnLeave(isDue: boolean): void {
  const session = useSession()
  const latest = useRef(isDue)
  useLayoutEffect(() => {
    latest.current = isDue
  }, [isDue])
  useEffect(() => {
    const onLeave = () => {
      if (latest.current) void reportSaved(session)
    }
    addEventListener('pagehide', onLeave)
    return () => {
      removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [session])
}

/** Returns the description for the print-out and the file: account, panel and purpose. */
function useDescription(panel: string): string {
  const session = useSession()
  const text = useText()
  const [description, setDescription] = useState(text('ui.rc.list'))
  useEffect(() => {
    let wanted = true
    async function describe() {
      const described = await describeCodes({ panel, session, text })
      if (wanted) setDescription(described)
    }
    void describe()
    return () => {
      wanted = false
    }
  }, [panel, session, text])
  return description
}

type CodesToSaveProps = Omit<RecoveryCodesProps, 'onQuestion'>

function CodesToSave({ factor: { codes }, security, panel }: CodesToSaveProps) {
  const text = useText()
  const description = useDescription(panel)
  const valueElement = useRef<HTMLDivElement>(null)
  return (
    <>
      <div data-svc-part="recovery-codes">
        <p data-svc-part="recovery-owner">{description}</p>
        <div ref={valueElement}>
          <ul role="list" ref={untranslated} dir="ltr" aria-label={text('ui.rc.list')}>
            {codes.map((code) => (
              <li key={code}>
                <code>
                  <CodeGroups code={code} />
                </code>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div data-svc-part="actions">
        <CopyButton
          label={text('ui.rc.copy')}
          value={codes.join('\n')}
          valueElement={valueElement}
          onFailed={() => security.showNotice({ notice: 'copy-failed' })}
        />
        <Button part="secondary" onPress={() => downloadCodes(codes, description)}>
          {text('ui.rc.download')}
        </Button>
        <Button part="secondary" onPress={() => globalThis.print()}>
          {text('ui.rc.print')}
        </Button>
      </div>
    </>
  )
}

/** The longest code that is read at a glance. */
const MAX_GROUP = 5

/**
 * Renders a code in groups of four, unless it has separators. The gaps are margins, so that a
 * selection contains the code itself.
 */
function CodeGroups({ code }: { readonly code: string }) {
  if (code.length <= MAX_GROUP || !/^[a-z\d]+$/i.test(code)) return code
  return [...code.matchAll(/.{1,4}/g)].map(({ 0: group, index }) => (
    <span key={index} data-svc-part="code-group">
      {group}
    </span>
  ))
}
