import { impersonatorOf, type PanelUser } from '../../client/client.ts'
import { useSession } from '../../react/session/provider.tsx'
import { usePage } from '../page.ts'
import { AccountCard } from './account-card.tsx'
import { HomeLoading } from './home-loading.tsx'
import { NextStep } from './next-step.tsx'
import { NotificationsCard } from './notifications-card.tsx'
import { useAccount } from './use-account.ts'

export interface HomeProps {
  readonly user: PanelUser
}

/** Renders the account, the latest notifications, and what to do next. */
export function HomeCards({ user }: HomeProps) {
  const { activity, sessions } = useSession()
  const { twoFactor } = usePage()
  // A person who acts as the user sees nothing of the account.
  const isOwn = impersonatorOf(user) === null
  const account = useAccount({
    activity: isOwn && activity,
    factor: isOwn && twoFactor === 'bound',
    sessions: isOwn && sessions,
  })
  if (account === null) return <HomeLoading />
  return (
    <div className="svc-home">
      <AccountCard user={user} account={account} />
      <NotificationsCard />
      {account.factor?.enabled === false && <NextStep factor={account.factor} />}
    </div>
  )
}
