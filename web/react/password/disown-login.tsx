import { useState } from 'react'
import type { PasswordLink, PasswordOutcome } from '../../client/client.ts'
import { Button } from '../parts/button.tsx'
import { useSession, useText, useTexts } from '../session/provider.tsx'
import { failureText } from '../session/refusal-text.ts'
import type { Texts } from '../texts/texts.ts'
import { AccountTexts } from '../session/account-texts-loaded.tsx'
import { PasswordCard } from './password-card.tsx'

export interface DisownLoginProps {
  /** `null`: the address had no token, as after a reload. */
  readonly link: PasswordLink | null
}

/**
 * Renders the screen that the link of a mail about a login opens. It asks first, because mail
 * scanners open links, too.
 */
export function DisownLogin({ link }: DisownLoginProps) {
  return (
    <AccountTexts>
      {link === null ? <Ended part="missing" /> : <Question key={link.token} token={link.token} />}
    </AccountTexts>
  )
}

type DisownState =
  | { readonly state: 'idle' | 'sending' | 'done' | 'over' }
  | { readonly state: 'failed'; readonly message: string }

function Question({ token }: { readonly token: string }) {
  const texts = useTexts()
  const { text } = texts
  const session = useSession()
  const [answer, setAnswer] = useState<DisownState>({ state: 'idle' })
  const problem = answer.state === 'failed' ? answer : null

  async function send() {
    if (answer.state === 'sending') return
    setAnswer({ state: 'sending' })
    const sent = await session.disownLogin(token)
    setAnswer(stateAfter(sent, texts))
  }

  if (answer.state === 'over') return <Ended part="over" />
  if (answer.state === 'done') return <Done />
  return (
    <PasswordCard title={text('ui.disown.title')} email={null} problem={problem}>
      <p>{text('ui.disown.intro')}</p>
      <Button part="submit" busy={answer.state === 'sending'} onPress={() => void send()}>
        {text(answer.state === 'sending' ? 'ui.disown.submitting' : 'ui.disown.submit')}
      </Button>
    </PasswordCard>
  )
}

function stateAfter(sent: PasswordOutcome, texts: Texts): DisownState {
  if (sent.outcome === 'ok') return { state: 'done' }
  if (sent.outcome === 'refused' && sent.refusal.key === 'svc::auth.session_link_invalid')
    return { state: 'over' }
  return { state: 'failed', message: failureText(sent, texts) }
}

/** Renders what to do after every session has ended. */
function Done() {
  const text = useText()
  const { passwords } = useSession()
  return (
    <PasswordCard title={text('ui.disown.done_title')} email={null}>
      <p>{text('ui.disown.done')}</p>
      {passwords && <p>{text('ui.disown.mail')}</p>}
    </PasswordCard>
  )
}

/** Renders why the link does nothing, and what does. */
function Ended({ part }: { readonly part: 'over' | 'missing' }) {
  const text = useText()
  return (
    <PasswordCard title={text(`ui.dead_link.${part}_title`)} email={null}>
      <p>{text(`ui.disown.${part}`)}</p>
    </PasswordCard>
  )
}
