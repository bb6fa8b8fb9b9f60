import { useCallback, useState } from 'react'
import type { HostPage, PageProblem } from '../../client/client.ts'
import { AlertBox, problemContent, type AlertContent } from '../../react/session/alert-box.tsx'
import { FieldLinks } from '../../react/parts/field-links.tsx'
import { BrokenPart } from '../../react/session/broken-part.tsx'
import { Heading, PageMain, useTitle } from '../../react/session/screen.tsx'
import { HostPageView } from './host-page-view.tsx'

export interface HostScreenProps {
  readonly page: HostPage
  /** Another problem beside the page; `null` for none. */
  readonly problem: string | null
}

/** The page's last message. A new object makes the same words appear again. */
interface DrawnState {
  readonly problem: PageProblem
}

/** Renders a page of the host below its heading and its errors. */
export function HostScreen({ page, problem }: HostScreenProps) {
  const [shown, setShown] = useState<DrawnState | null>(null)
  const showProblem = useCallback(
    (problem: PageProblem | null) => setShown(problem === null ? null : { problem }),
    [],
  )
  const content = problemContent(problem) ?? contentOf(shown, page)
  const [state, setState] = useState<'drawn' | 'broken'>('drawn')
  const onBroken = useCallback(() => setState('broken'), [])
  useTitle(page.title, content === null && state === 'drawn' ? 'none' : 'shown')
  if (state === 'broken')
    return (
      <PageMain>
        <Heading lang={page.lang}>{page.title}</Heading>
        <BrokenPart problem={problem} />
      </PageMain>
    )
  return (
    <PageMain>
      <AlertBox content={content} focusOn={problem ?? shown} />
      <Heading lang={page.lang}>{page.title}</Heading>
      <HostPageView page={page} showProblem={showProblem} onBroken={onBroken} />
    </PageMain>
  )
}

function contentOf(shown: DrawnState | null, { lang }: HostPage): AlertContent | null {
  if (shown === null) return null
  const { problem } = shown
  const message = typeof problem === 'string' ? problem : <FieldLinks problems={problem} />
  return { tone: 'problem', message: <div lang={lang}>{message}</div> }
}
