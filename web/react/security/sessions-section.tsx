import { useState } from 'react'
import type { SessionEntry } from '../../../src/rules/routes/session-list-rows.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useText } from '../session/provider.tsx'
import { Time } from '../session/formatted-time.tsx'
import { EndableSection } from './endable-section.tsx'
import { EntryRow, Fact } from './entry-row.tsx'
import { useSessions } from './use-sessions.ts'

/** Renders the sessions of the user, which end here. It requests them when it is first shown. */
export function SessionsSection() {
  const text = useText()
  const { end, endOthers, ...list } = useSessions()
  const { entries, busy } = list
  return (
    <EndableSection title={text('ui.sessions.title')} intro={text('ui.sessions.intro')} list={list}>
      <ul role="list" data-svc-part="sessions">
        {entries?.map((entry) => (
          <EntryRow
            key={entry.id}
            list="sessions"
            entry={entry}
            busy={busy === entry.id}
            onEnd={entry.current ? null : () => void end(entry.id)}
          >
            <SessionFacts entry={entry} />
          </EntryRow>
        ))}
      </ul>
      <Others entries={entries ?? []} isBusy={busy === 'others'} onEnd={() => void endOthers()} />
    </EndableSection>
  )
}

function SessionFacts({ entry }: { readonly entry: SessionEntry }) {
  const text = useText()
  const { last_seen_at: lastSeenAt, remembered_until: rememberedUntil } = entry
  return (
    <>
      <Fact name={text('ui.sessions.seen')}>
        <Time at={lastSeenAt} />
      </Fact>
      {rememberedUntil !== null && (
        <Fact name={text('ui.sessions.remembered')}>
          <Time at={rememberedUntil} />
        </Fact>
      )}
    </>
  )
}

interface OthersProps {
  readonly entries: readonly SessionEntry[]
  readonly isBusy: boolean
  readonly onEnd: () => void
}

/** Renders the button that ends all other sessions, and its question. */
function Others({ entries, isBusy, onEnd }: OthersProps) {
  const text = useText()
  const [dialog, setDialog] = useState<'open' | null>(null)
  if (entries.every(({ current }) => current))
    return <p data-svc-part="hint">{text('ui.sessions.none')}</p>
  function confirm() {
    // The dialog returns the focus before the button renders as busy.
    setDialog(null)
    onEnd()
  }
  return (
    <div data-svc-part="actions">
      <Button part="secondary" busy={isBusy} onPress={() => setDialog('open')}>
        {text('ui.sessions.end_others')}
      </Button>
      {dialog !== null && (
        <Dialog
          title={text('ui.sessions.end_others_title')}
          body={text('ui.sessions.end_others_body')}
          onCancel={() => setDialog(null)}
        >
          <Button part="secondary" onPress={() => setDialog(null)}>
            {text('ui.sessions.end_others_no')}
          </Button>
          <Button part="danger" onPress={confirm}>
            {text('ui.sessions.end_others_yes')}
          </Button>
        </Dialog>
      )}
    </div>
  )
}
