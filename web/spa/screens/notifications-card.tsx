import { useEffect, useRef } from 'react'
import type { Bell, BellEntry } from '../../client/client.ts'
import { bellLink, linkProps } from '../../react/bell/bell-link.ts'
import { RelativeTime, useNow } from '../../react/bell/relative-time.tsx'
import { useBell, type BellController } from '../../react/bell/use-bell.ts'
import { Button } from '../../react/parts/button.tsx'
import { useDelayedMessage } from '../../react/parts/use-delayed-message.ts'
import { Skeleton } from '../../react/parts/skeleton.tsx'
import { AlertBox, problemContent } from '../../react/session/alert-box.tsx'
import { useText } from '../../react/session/provider.tsx'

const SHOWN = 3

/** Renders the latest notifications, and the button that opens all of them in the bell. */
export function NotificationsCard() {
  const text = useText()
  const { bell, state } = useBell()
  useEffect(() => {
    void bell.open()
    return bell.close
  }, [bell])
  const { entries, arrived } = state
  useEffect(() => {
    // Beside earlier rows they wait, so that no row moves.
    if (entries.length === 0 && arrived.length > 0) bell.showArrived()
  }, [bell, entries, arrived])
  const heading = useRef<HTMLHeadingElement>(null)
  const unread = state.unread ?? 0
  function retry() {
    // The pressed button disappears.
    heading.current?.focus()
    void bell.open()
  }
  return (
    <section className="svc-panel-card" aria-labelledby="svc-notifications">
      <div className="svc-card-head">
        <h2 ref={heading} id="svc-notifications" tabIndex={-1}>
          {text('ui.bell.title')}
        </h2>
        {unread > 0 && (
          <span key={unread} data-svc-part="mark" data-state="new">
            {text('ui.home.unread', { count: unread })}
          </span>
        )}
      </div>
      <div className="svc-latest">
        <Latest bell={bell} state={state} onRetry={retry} />
      </div>
      <Button part="quiet" onPress={openBell}>
        {text('ui.home.see_all')}
      </Button>
    </section>
  )
}

interface LatestProps extends BellController {
  readonly onRetry: () => void
}

function Latest({ bell, state, onRetry }: LatestProps) {
  const text = useText()
  const now = useNow()
  switch (state.list) {
    case 'unasked':
    case 'loading':
      return <Skeleton lines={SHOWN} />
    case 'failed':
      return <LatestFailed onRetry={onRetry} />
    case 'loaded':
      if (state.entries.length === 0)
        return <p className="svc-intro">{text('ui.bell.empty_title')}</p>
      return (
        <ul role="list">
          {state.entries.slice(0, SHOWN).map((entry) => (
            <li key={entry.id} data-unread={entry.read_at === null || undefined}>
              <Title bell={bell} entry={entry} />
              <RelativeTime at={entry.created_at} now={now} />
            </li>
          ))}
        </ul>
      )
  }
}

function LatestFailed({ onRetry }: { readonly onRetry: () => void }) {
  const text = useText()
  return (
    <AlertBox content={problemContent(useDelayedMessage(text('ui.bell.error')))}>
      <Button part="secondary" onPress={onRetry}>
        {text('ui.retry')}
      </Button>
    </AlertBox>
  )
}

interface TitleProps {
  readonly bell: Bell
  readonly entry: BellEntry
}

/** Renders the title on one line; the bell has it whole. A press on a link marks it as read. */
function Title({ bell, entry: { id, read_at: readAt, data } }: TitleProps) {
  const text = useText()
  const link = bellLink(data.url)
  // An element of its own direction: it does not decide that of the title.
  const unread = readAt === null && (
    <bdi data-svc-part="bell-spoken">{text('ui.bell.unread')}: </bdi>
  )
  if (link === null)
    return (
      <span dir="auto" title={data.title}>
        {unread}
        {data.title}
      </span>
    )
  return (
    <a dir="auto" title={data.title} {...linkProps(link, () => void bell.read(id))}>
      {unread}
      {data.title}
      {link.leads === 'elsewhere' && (
        <span data-svc-part="bell-spoken"> {text('ui.bell.external')}</span>
      )}
    </a>
  )
}

/** Presses the bell of the header, which has every action on notifications. */
function openBell(): void {
  document.querySelector<HTMLElement>('[data-svc-part=bell-button]')?.click()
}
