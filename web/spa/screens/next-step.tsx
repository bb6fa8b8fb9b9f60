import { useText } from '../../react/session/provider.tsx'
import { usePage } from '../page.ts'
import type { AccountFacts } from './use-account.ts'

/** Invites a user whose second factor is off to set it up. */
export function NextStep({ factor }: { readonly factor: NonNullable<AccountFacts['factor']> }) {
  const text = useText()
  const { base } = usePage()
  const { required_in_days: daysLeft } = factor
  return (
    <section className="svc-panel-card svc-next" aria-labelledby="svc-next">
      <div>
        <h2 id="svc-next">{text('ui.home.protect_title')}</h2>
        <p>{text('ui.home.protect')}</p>
        {daysLeft !== undefined && <p>{text('ui.tf.due', { count: daysLeft })}</p>}
      </div>
      <a className="svc-action" href={`${base}/security`}>
        {text('ui.home.protect_link')}
      </a>
    </section>
  )
}
