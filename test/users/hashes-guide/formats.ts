import { django } from '@svc/auth/hashes'
import type { PanelConfig } from '@svc/auth'

export const config: PanelConfig = {
  app: { url: 'https://panel.example.com', keys: [process.env['APP_KEY'] ?? ''] },
  session_auth: { stateful: ['panel.example.com'] },
  svc: { prefix: 'admin', panels: ['main'] },
  passwords: { formats: [django] },
}
