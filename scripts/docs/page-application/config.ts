import type { PanelConfig } from '@svc/auth'

export declare const config: PanelConfig
