import type { UserProvider } from '@svc/auth'

/** What a host has already. */
export declare const users: UserProvider<{ readonly id: string; readonly name: string }>
