import { useEffect } from 'react'
import { useLogin } from 'react-admin'
import { usePanelState } from '../../react/react.ts'

/**
 * Redirects from the login page of react-admin to the page that the user asked for. `PanelGate` has
 * rendered the login before, so every user who gets here has logged in.
 *
 * @example
 * ```tsx
 * import { Admin } from 'react-admin'
 *
 * const App = () => (
 *   <PanelGate name="Shop">
 *     <Admin authProvider={createAuthProvider(session)} loginPage={LoginPage} requireAuth />
 *   </PanelGate>
 * )
 * ```
 */
export function LoginPage() {
  const { state } = usePanelState()
  const login = useLogin()
  useEffect(() => {
    if (state === 'ready') void login({})
  }, [state, login])
  return null
}
