/*
 * The part of react-admin that this folder uses, in the types of 5.0 and later. react-admin is not
 * a development dependency: with Material UI it is 320 MB. `npm run examples -- react-admin` checks
 * these declarations, with the oldest and the newest release.
 */
declare module 'react-admin' {
  import type { ComponentType, ForwardRefExoticComponent, ReactNode, RefAttributes } from 'react'

  export class HttpError extends Error {
    constructor(message: string, status: number, body?: unknown)
    readonly status: number
    readonly body: unknown
  }
  export function useLogin(): (params: object) => Promise<unknown>
  export function useLogout(): (
    params: object,
    redirectTo: string | undefined,
    returnsAfterLogin: boolean,
  ) => Promise<unknown>
  export function useNotify(): (message: string, options: { readonly type: 'error' }) => void
  export function useResetStore(): () => void
  export function useBasename(): string
  export function useUserMenu(): { readonly onClose: () => void } | undefined

  export interface LayoutProps {
    readonly appBar?: ComponentType<AppBarProps>
    readonly children?: ReactNode
  }
  export interface AppBarProps {
    readonly userMenu?: ReactNode
    readonly children?: ReactNode
  }
  export const Layout: ComponentType<LayoutProps>
  export const AppBar: ComponentType<AppBarProps>
  export const UserMenu: ComponentType<{ readonly children?: ReactNode }>
  export const TitlePortal: ComponentType
  export const Title: ComponentType<{ readonly title: string }>

  interface ItemProps {
    readonly onClick?: () => void
  }
  interface LinkProps extends ItemProps {
    readonly to: string
    readonly primaryText: string
    readonly leftIcon?: ReactNode
  }
  export const Logout: ForwardRefExoticComponent<ItemProps & RefAttributes<HTMLLIElement>>
  export const MenuItemLink: ForwardRefExoticComponent<LinkProps & RefAttributes<HTMLElement>>
}
