import type { ReactNode } from 'react'
import type { SessionEntry } from '../../../src/rules/routes/session-list-rows.ts'
import { Button } from '../parts/button.tsx'
import { untranslated } from '../parts/untranslated.ts'
import { useText } from '../session/provider.tsx'
import { Time, useTime } from '../session/formatted-time.tsx'

export interface EntryRowProps {
  /** The list, whose texts the row has. */
  readonly list: 'sessions' | 'trusted'
  readonly entry: Pick<SessionEntry, 'browser' | 'system' | 'network' | 'current' | 'created_at'>
  readonly busy: boolean
  /** `null`: the entry does not end here. */
  readonly onEnd: (() => void) | null
  /** The facts after the network and the begin. */
  readonly children: ReactNode
}

/** Renders a session or a device: its browser, its facts, and the button that ends it. */
export function EntryRow({ list, entry, busy, onEnd, children }: EntryRowProps) {
  const text = useText()
  const browser = useBrowserName(entry)
  const network = entry.network ?? text('ui.sessions.unknown')
  const began = useTime(entry.created_at)
  return (
    <li data-svc-part="session">
      <div data-svc-part="section-head">
        <strong data-svc-part="session-name">{browser}</strong>
        {entry.current && (
          <span data-svc-part="mark" data-state="on">
            {text(`ui.${list}.current`)}
          </span>
        )}
      </div>
      <dl data-svc-part="session-facts">
        <Fact name={text('ui.sessions.network')}>
          <bdi dir="ltr" ref={untranslated}>
            {network}
          </bdi>
        </Fact>
        <Fact name={text('ui.sessions.began')}>
          <Time at={entry.created_at} />
        </Fact>
        {children}
      </dl>
      {onEnd !== null && (
        <Button
          part="secondary"
          label={text(`ui.${list}.end_label`, { browser, network, began })}
          busy={busy}
          onPress={onEnd}
        >
          {text(`ui.${list}.end`)}
        </Button>
      )}
    </li>
  )
}

/** Returns the name of the browser and the system, as far as they are known. */
function useBrowserName({ browser, system }: Pick<SessionEntry, 'browser' | 'system'>): string {
  const text = useText()
  if (browser !== null && system !== null)
    return text('ui.sessions.browser_on', { browser, system })
  return browser ?? system ?? text('ui.sessions.unknown')
}

/** Renders a fact of an entry with its name. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
