import { impersonatorOf } from '../../client/client.ts'
import type { PanelUser } from '../../client/client.ts'
import { useSession, useText } from '../../react/session/provider.tsx'
import { untranslated } from '../../react/parts/untranslated.ts'
import { usePage } from '../page.ts'
import { LastLogin } from './last-login.tsx'
import { NextStep } from './next-step.tsx'

/** Renders the panel's home: the user's name and email, and what to do next. */
export function Home({ user }: { readonly user: PanelUser }) {
  const text = useText()
  const { activity } = useSession()
  const { name, email } = user
  return (
    <>
      <p className="svc-intro">{text('ui.home.intro')}</p>
      <dl className="svc-facts">
        {name !== null && (
          <div>
            <dt>{text('ui.home.name')}</dt>
            <dd>
              <bdi ref={untranslated}>{name}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{text('ui.home.email')}</dt>
          <dd>
            <bdi dir="ltr" ref={untranslated}>
              {email}
            </bdi>
          </dd>
        </div>
        {activity && impersonatorOf(user) === null && <LastLogin />}
      </dl>
      <NextStep />
    </>
  )
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
