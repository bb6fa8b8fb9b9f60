import { useState } from 'react'
import { Title } from 'react-admin'
import { SecurityView as Content } from '../../react/security/security-content.tsx'

/** The properties of `SecurityView`. */
export interface SecurityViewProps {
  /** Name of the panel, for the file with the recovery codes. */
  readonly panel: string
  /** `absent`: the service has no second factor. Default: `bound`. */
  readonly twoFactor?: 'bound' | 'absent'
}

/**
 * Renders the security page in react-admin's layout. Put it on the path to which the user menu
 * links.
 *
 * @example
 * ```tsx
 * import { CustomRoutes } from 'react-admin'
 * import { Route } from 'react-router-dom'
 *
 * const routes = (
 *   <CustomRoutes>
 *     <Route path="/security" element={<SecurityView panel="Shop" />} />
 *   </CustomRoutes>
 * )
 * ```
 */
export function SecurityView({ panel, twoFactor = 'bound' }: SecurityViewProps) {
  const [title, setTitle] = useState('')
  return (
    <>
      <Title title={title} />
      <Content panel={panel} twoFactor={twoFactor} onTitle={setTitle} />
    </>
  )
}
