/* The parts of frameworks that examples show beside those of `web/frameworks/react-admin/peer.d.ts`. */
declare module 'react-admin' {
  import type { ComponentType, ReactNode } from 'react'
  import type { SessionAuthProvider } from '@svc/auth/react-admin'

  export const Admin: ComponentType<{
    readonly authProvider?: SessionAuthProvider
    readonly loginPage?: ComponentType
    readonly layout?: ComponentType<LayoutProps>
    readonly requireAuth?: boolean
    readonly children?: ReactNode
  }>
  export const CustomRoutes: ComponentType<{ readonly children?: ReactNode }>
}

declare module '@refinedev/core' {
  import type { ComponentType } from 'react'
  import type { SessionAuthProvider } from '@svc/auth/refine'

  export const Refine: ComponentType<{ readonly authProvider: SessionAuthProvider }>
}

declare module 'react-router-dom' {
  import type { ComponentType, ReactNode } from 'react'

  export const Route: ComponentType<{ readonly path: string; readonly element: ReactNode }>
}
