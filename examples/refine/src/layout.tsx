import { useLogout } from '@refinedev/core'
import { Bell, useUser } from '@svc/auth/react'
import { useState } from 'react'
import { Link, Outlet } from 'react-router'

/** The header with the bell, the user, Security and Log out; refine leaves the looks to you. */
export function Layout() {
  const user = useUser()
  const [problem, setProblem] = useState('')
  const { mutate: logout } = useLogout()
  return (
    <>
      <header style={{ display: 'flex', gap: '1rem', alignItems: 'center' }}>
        <Link to="/orders">Orders</Link>
        <Bell />
        <span>{user?.name}</span>
        <Link to="/security">Security</Link>
        <button
          onClick={() =>
            logout(undefined, { onSuccess: ({ error }) => setProblem(error?.message ?? '') })
          }
        >
          Log out
        </button>
      </header>
      <p role="alert">{problem}</p>
      <main>
        <Outlet />
      </main>
    </>
  )
}
