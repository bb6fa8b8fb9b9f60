import type { ReactNode } from 'react'
import type { SessionEntry } from '../../../src/rules/routes/session-list-rows.ts'
import { Button } from '../parts/button.tsx'
import { untranslated } from '../parts/untranslated.ts'
import { useLocale, useText } from '../session/provider.tsx'

export interface SessionRowProps {
  readonly entry: SessionEntry
  readonly busy: boolean
  readonly onEnd: () => void
}

/** Renders one session: its browser, network and times, and the button that ends it. */
export function SessionRow({ entry, busy, onEnd }: SessionRowProps) {
  const text = useText()
  const browser = useBrowserName(entry)
  const network = entry.network ?? text('ui.sessions.unknown')
  const { remembered_until: rememberedUntil } = entry
  return (
    <li data-svc-part="session">
      <div data-svc-part="section-head">
        <strong data-svc-part="session-name">{browser}</strong>
        {entry.current && (
          <span data-svc-part="mark" data-state="on">
            {text('ui.sessions.current')}
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
        <Fact name={text('ui.sessions.seen')}>
          <Time at={entry.last_seen_at} />
        </Fact>
        {rememberedUntil !== null && (
          <Fact name={text('ui.sessions.remembered')}>
            <Time at={rememberedUntil} />
          </Fact>
        )}
      </dl>
      {!entry.current && (
        <Button
          part="secondary"
          label={text('ui.sessions.end_label', { browser, network })}
          busy={busy}
          onPress={onEnd}
        >
          {text('ui.sessions.end')}
        </Button>
      )}
    </li>
  )
}

/** Returns the name of the browser and the system, as far as they are known. */
export function useBrowserName({
  browser,
  system,
}: Pick<SessionEntry, 'browser' | 'system'>): string {
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

/** Renders a time in the language of the panel. */
export function Time({ at }: { readonly at: string }) {
  const format = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
