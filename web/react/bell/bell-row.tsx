import { useRef, useState, type MouseEvent, type ReactNode, type Ref } from 'react'
import type { BellEntry } from '../../client/client.ts'
import { Icon } from '../parts/icon.tsx'
import { useText } from '../session/provider.tsx'
import { bellLink, linkProps, type BellLink } from './bell-link.ts'
import { RelativeTime } from './relative-time.tsx'

const OPEN_ENVELOPE = 'M4 10v9h16v-9l-8-6-8 6 8 5 8-5'

/** Trigger of marking a row: its own button, or opening its link here or in a new tab. */
export type MarkedBy = 'mark' | 'here' | 'beside'

export interface BellRowProps {
  readonly entry: BellEntry
  /** Milliseconds since 1970. */
  readonly now: number
  readonly onMark: (by: MarkedBy) => void
}

/** Renders one notification: a link or a button, and a button that marks it as read. */
export function BellRow({ entry, now, onMark }: BellRowProps) {
  const text = useText()
  const item = useRef<HTMLElement>(null)
  const link = bellLink(entry.data.url)
  const isUnread = entry.read_at === null
  const [length, setLength] = useState<'short' | 'whole'>('short')

  // A row without a link leads to no page that has the whole text.
  function onPress(by: MarkedBy) {
    setLength('whole')
    onMark(by)
  }

  function markHere() {
    // The button disappears, the row stays.
    item.current?.focus()
    onMark('mark')
  }
  return (
    <li data-svc-part="bell-row" data-unread={isUnread || undefined} data-length={length}>
      <Item item={item} link={link} onMark={onPress}>
        <RowText entry={entry} now={now} link={link} />
      </Item>
      {isUnread && (
        <button
          type="button"
          data-svc-part="bell-mark"
          title={text('ui.bell.mark_short')}
          aria-label={text('ui.bell.mark', { title: entry.data.title })}
          onClick={markHere}
        >
          <Icon path={OPEN_ENVELOPE} size={20} />
        </button>
      )}
    </li>
  )
}

interface RowTextProps extends Pick<BellRowProps, 'entry' | 'now'>, Pick<ItemProps, 'link'> {}

function RowText({ entry, now, link }: RowTextProps) {
  const text = useText()
  const { title, body } = entry.data
  const isExternal = link?.leads === 'elsewhere'
  return (
    <>
      {entry.read_at === null && (
        <span data-svc-part="bell-spoken">{text('ui.bell.unread')}: </span>
      )}
      <span dir="auto" data-svc-part="bell-title">
        {title}
        {isExternal && <span aria-hidden="true" data-svc-part="bell-external" />}
      </span>{' '}
      {body !== null && (
        <span dir="auto" data-svc-part="bell-body">
          {body}
        </span>
      )}{' '}
      <RelativeTime at={entry.created_at} now={now} />
      {isExternal && <span data-svc-part="bell-spoken"> {text('ui.bell.external')}</span>}
    </>
  )
}

interface ItemProps {
  readonly item: Ref<HTMLElement>
  readonly link: BellLink | null
  readonly onMark: (by: MarkedBy) => void
  readonly children: ReactNode
}

function Item({ item, link, onMark, children }: ItemProps) {
  if (link === null)
    return (
      <button
        ref={item as Ref<HTMLButtonElement>}
        type="button"
        data-svc-part="bell-item"
        onClick={() => onMark('mark')}
      >
        {children}
      </button>
    )
  const isHere = link.leads === 'here'
  return (
    <a
      ref={item as Ref<HTMLAnchorElement>}
      {...linkProps(link, (event) => onMark(isHere && isPlain(event) ? 'here' : 'beside'))}
      data-svc-part="bell-item"
    >
      {children}
    </a>
  )
}

/** Returns `true` for a plain click. Any other click opens the link in a new tab or window. */
function isPlain({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey
}
