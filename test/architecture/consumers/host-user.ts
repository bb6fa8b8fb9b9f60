import { createPanelAuth } from '@svc/auth'
import type { PanelAuthOptions, PresentedBy, UserProvider } from '@svc/auth'
import type { PanelSession, PanelUser } from '@svc/auth/client'
import { useUser } from '@svc/auth/react'

interface Employee {
  readonly id: string
  readonly email: string
  readonly role: 'clerk' | 'manager'
}

declare const employees: Omit<UserProvider<Employee>, 'present'>
declare const parts: Omit<PanelAuthOptions<Employee>, 'users'>
declare const session: PanelSession

export const auth = createPanelAuth({
  ...parts,
  users: {
    ...employees,
    present: ({ id, email, role }: Employee) => ({ id, email, role }),
  },
})
export const plain = createPanelAuth({ ...parts, users: employees })

declare module '@svc/auth/client' {
  interface Register {
    readonly user: PresentedBy<typeof auth>
  }
}

type Presented = Pick<Employee, 'id' | 'email' | 'role'>
type Same<A, B> = [A, B] extends [B, A] ? true : never

export const presented: Same<PresentedBy<typeof auth>['role'], Presented['role']> = true
export const registered: Same<PanelUser, PresentedBy<typeof auth>> = true

/** Reads the host's fields without casts, in a component and of the session. */
export function roles(): readonly (Employee['role'] | undefined)[] {
  const state = session.getState()
  return [useUser()?.role, state.state === 'ready' ? state.user.role : undefined]
}

/** The host presents no name. */
export const hasName: 'name' extends keyof PanelUser ? true : false = false

/** Without `present`, the service answers with its own fields. */
export const ownName: Same<PresentedBy<typeof plain>['name'], string | null> = true
