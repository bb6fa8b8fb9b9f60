import type { SessionEntry } from '../../../src/rules/routes/session-list-rows.ts'
import type { PanelSession } from '../../client/client.ts'
import { useText } from '../session/provider.tsx'
import { Time } from '../session/formatted-time.tsx'
import { AskingButton } from './asking-button.tsx'
import { EndableSection } from './endable-section.tsx'
import { EntryRow, Fact } from './entry-row.tsx'
import { call } from './second-factor.ts'
import { useEndable } from './use-endable.ts'

/** Renders the sessions of the user, which end here. It requests them when it is first shown. */
export function SessionsSection() {
  const text = useText()
  const { end, ...list } = useEndable(listSessions)
  const { entries, busy } = list
  const endOne = async (id: string) =>
    end(id, 'ui.sessions.ended', async (by) => call(by, 'sessions.end', null, { id }))
  const endOthers = async () =>
    end('others', 'ui.sessions.others_ended', async (by) => call(by, 'sessions.end-others'))
  return (
    <EndableSection title={text('ui.sessions.title')} intro={text('ui.sessions.intro')} list={list}>
      <ul role="list" data-svc-part="sessions">
        {entries?.map((entry) => (
          <EntryRow
            key={entry.id}
            list="sessions"
            entry={entry}
            busy={busy === entry.id}
            onEnd={entry.current ? null : () => void endOne(entry.id)}
          >
            <SessionFacts entry={entry} />
          </EntryRow>
        ))}
      </ul>
      {entries?.every(({ current }) => current) ? (
        <p data-svc-part="hint">{text('ui.sessions.none')}</p>
      ) : (
        <AskingButton
          texts="ui.sessions.end_others"
          busy={busy === 'others'}
          onConfirm={() => void endOthers()}
        />
      )}
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

async function listSessions(session: PanelSession) {
  return call(session, 'sessions')
}
