import type { Stores } from '@svc/auth'

export declare const stores: Stores
