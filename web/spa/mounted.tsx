import { createRoot, type Root } from 'react-dom/client'
import type { PanelSession } from '../client/client.ts'
import { PanelAuthProvider, type PanelAuthProviderProps } from '../react/react.ts'

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
  const { root, remove } = mounted.get(place) ?? openRoot(place, session)
  root.render(<PanelAuthProvider {...props} />)
  return remove
}

function openRoot(place: Element, session: PanelSession): Mounted {
  const root = createRoot(place)
  const stop = session.start()
  const opened = {
    session,
    root,
    remove() {
      if (mounted.get(place) !== opened) return
      mounted.delete(place)
      stop()
      root.unmount()
    },
  }
  mounted.set(place, opened)
  return opened
}
