import type { UserProvider } from '@svc/auth'

export declare const users: UserProvider<User>
