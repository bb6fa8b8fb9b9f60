import { useEffect } from 'react'
import { PartFailed } from '../../react/session/part-failed.tsx'
import { useText } from '../../react/session/provider.tsx'
import { MAIN_ID } from '../../react/session/screen.tsx'
import { usePart } from '../../react/session/use-part.ts'
import { usePage } from '../page.ts'
import type { HomeProps } from './home-cards.tsx'
import { HomeLoading } from './home-loading.tsx'

/** Renders the panel's home, whose content is a file of its own: the login has no use for it. */
export function Home({ user }: HomeProps) {
  const [part, fetchPart] = usePart(loadCards)
  useEffect(() => void fetchPart(), [fetchPart])
  const isRetried = part.state === 'loaded' && part.failures > 0
  useEffect(() => {
    // The pressed button is gone.
    if (isRetried) document.getElementById(MAIN_ID)?.focus()
  }, [isRetried])
  switch (part.state) {
    case 'loading':
      return <HomeLoading />
    case 'failed':
      return <PartFailed part={part} onRetry={() => void fetchPart()} />
    case 'loaded':
      return <part.content user={user} />
  }
}

async function loadCards() {
  return (await import('./home-cards.tsx')).HomeCards
}

/** Renders a message for an address without a page. */
export function NotFound() {
  const text = useText()
  const { base } = usePage()
  return (
    <>
      <p className="svc-intro">{text('ui.not_found.text')}</p>
      <p>
        <a className="svc-action" href={base}>
          {text('ui.not_found.link')}
        </a>
      </p>
    </>
  )
}
