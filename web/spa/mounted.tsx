import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { PanelSession } from '../client/client.ts'
import { IdPrefix } from '../react/parts/element-id.ts'
import { PanelAuthProvider, type PanelAuthProviderProps } from '../react/react.ts'

/** A root of the page. */
type Root = ReturnType<typeof openRoot>

/** Content of an element. */
interface Mounted {
  readonly session: PanelSession
  readonly root: Root
  readonly remove: () => void
}

const mounted = new WeakMap<Element, Mounted>()

/**
 * Renders content into an element and starts the session. Called again with the same element and
 * session, it updates the content, which keeps its state.
 *
 * @returns A function that removes the content.
 */
export function renderInto(place: Element, props: PanelAuthProviderProps): () => void {
  const { session } = props
  const before = mounted.get(place)
  if (before !== undefined && before.session !== session) before.remove()
  const { root, remove } = mounted.get(place) ?? openPart(place, session)
  root.render(<PanelAuthProvider {...props} />)
  return remove
}

/** Opens a root whose ids no other root of the page has, also one of another copy of this file. */
export function openRoot(place: Element) {
  const root = createRoot(place)
  const prefix = `svc-${Math.random().toString(36).slice(2)}-`
  return {
    render: (content: ReactNode) =>
      root.render(<IdPrefix.Provider value={prefix}>{content}</IdPrefix.Provider>),
    unmount: () => root.unmount(),
  }
}

function openPart(place: Element, session: PanelSession): Mounted {
  const root = openRoot(place)
  const stop = session.start()
  const part = {
    session,
    root,
    remove() {
      if (mounted.get(place) !== part) return
      mounted.delete(place)
      stop()
      root.unmount()
    },
  }
  mounted.set(place, part)
  return part
}
