import type { ReactNode } from 'react'
import type { PanelUser } from '../../client/client.ts'
import { Icon } from '../../react/parts/icon.tsx'
import { untranslated } from '../../react/parts/untranslated.ts'
import { EventPlace } from '../../react/session/event-place.tsx'
import { useSession, useText } from '../../react/session/provider.tsx'
import { usePage } from '../page.ts'
import { ICONS } from './icons.ts'
import type { AccountFacts } from './use-account.ts'

const CLOCK = 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M12 7.5v5l3 2'
const ENVELOPE = 'M4 6h16v12H4zM4 7l8 6 8-6'
const PERSON = 'M12 4a3.75 3.75 0 1 0 0 7.5a3.75 3.75 0 1 0 0-7.5M5 20c.5-8 13.5-8 14 0'
const SCREEN = 'M4 5h16v11H4zM9 20h6M12 16v4'

export interface AccountCardProps {
  readonly user: PanelUser
  readonly account: AccountFacts
}

/** Renders what the service knows of the account; a layer that is not bound leaves no row. */
export function AccountCard({ user: { name, email }, account }: AccountCardProps) {
  const text = useText()
  const { activity, sessions } = useSession()
  const { lastLogin, factor } = account
  return (
    <section className="svc-panel-card" aria-labelledby="svc-account">
      <h2 id="svc-account">{text('ui.home.account')}</h2>
      <dl className="svc-facts">
        {/* The greeting has it, too. */}
        {name !== null && !activity && !sessions && (
          <Fact icon={PERSON} name={text('ui.home.name')}>
            <bdi ref={untranslated}>{name}</bdi>
          </Fact>
        )}
        <Fact icon={ENVELOPE} name={text('ui.home.email')}>
          <bdi dir="ltr" ref={untranslated}>
            {email}
          </bdi>
        </Fact>
        {lastLogin !== null && (
          <Fact icon={CLOCK} name={text('ui.home.last_login')}>
            <EventPlace entry={lastLogin} />
          </Fact>
        )}
        {factor !== null && (
          <Fact icon={ICONS.shield} name={text('ui.tf.name')}>
            <FactorStatus factor={factor} />
          </Fact>
        )}
        {account.sessions !== null && (
          <Fact icon={SCREEN} name={text('ui.home.sessions')}>
            <Sessions count={account.sessions} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

interface FactProps {
  readonly icon: string
  readonly name: string
  readonly children: ReactNode
}

function Fact({ icon, name, children }: FactProps) {
  return (
    <div>
      <dt>
        <Icon path={icon} size={20} />
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

function FactorStatus({ factor }: { readonly factor: NonNullable<AccountFacts['factor']> }) {
  const text = useText()
  const { enabled, recovery_codes_left: left } = factor
  const status = text(enabled ? 'ui.home.factor_on' : 'ui.home.factor_off')
  if (!enabled || left === undefined) return status
  return `${status} · ${text('ui.home.codes_left', { count: left })}`
}

function Sessions({ count }: { readonly count: number }) {
  const text = useText()
  const { base } = usePage()
  return (
    <>
      {count} · <a href={`${base}/security`}>{text('ui.home.review')}</a>
    </>
  )
}
