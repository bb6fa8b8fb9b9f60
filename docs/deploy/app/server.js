// One node. It answers /livez and /readyz, prunes every minute, and stops at SIGTERM within 15 seconds.
import { mount, serve } from '@svc/auth/node'
import { openPanel } from './auth.js'

const { auth, close } = await openPanel({ migrate: false })
await serve(auth, mount(auth), { port: Number(process.env.PORT ?? 3000), onClose: close })
