import { useEffect } from 'react'
import { useLogin } from 'react-admin'
import { usePanelState } from '../react/react.ts'

/**
 * Leads from the login page of react-admin to the page that the user wanted: inside `PanelGate`,
 * whoever sees it has logged in already.
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
