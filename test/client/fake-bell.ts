import { randomUUID } from 'node:crypto'
import type { BellEntry } from '../../web/client/client.ts'

export type BellName =
  | 'notifications'
  | 'notifications.unread-count'
  | 'notifications.read'
  | 'notifications.read-all'

/** The notifications of one person, newest first. */
export interface FakeBell {
  entries: BellEntry[]
  /** Sends one. @returns its id. */
  add(
    title: string,
    more?: { readonly body?: string; readonly url?: string; readonly at?: Date },
  ): string
  unread(): number
}

export function fakeBell(): FakeBell {
  const bell: FakeBell = {
    entries: [],
    add(title, { body = null, url = null, at = new Date() } = {}) {
      const id = randomUUID()
      const data = { title, body, url }
      const created_at = at.toISOString()
      bell.entries = [{ id, type: 'note', data, read_at: null, created_at }, ...bell.entries]
      return id
    },
    unread: () => bell.entries.filter(({ read_at }) => read_at === null).length,
  }
  return bell
}

/** Returns the answers of the bell's routes. */
export function bellAnswer(bell: FakeBell, name: BellName, id: string) {
  if (name === 'notifications.read' || name === 'notifications.read-all') {
    bell.entries = bell.entries.map((entry) =>
      entry.read_at === null && (name === 'notifications.read-all' || entry.id === id)
        ? { ...entry, read_at: new Date().toISOString() }
        : entry,
    )
  }
  const body = { unread_count: bell.unread() }
  return {
    outcome: 'ok',
    body: name === 'notifications' ? { data: bell.entries.slice(0, 20), ...body } : body,
  }
}
