// One node. It answers /livez and /readyz, prunes every minute, and stops at SIGTERM within 15 seconds.
import { mount, serve } from '@svc/auth/node'
import { prometheus } from '@svc/auth/prometheus'
import { openPanel } from './auth.js'

const { METRICS_HOST: host, METRICS_PORT = 9464, PORT = 3000 } = process.env
const telemetry = prometheus()
const { auth, close } = await openPanel({ migrate: false, telemetry })
await serve(auth, mount(auth), {
  port: Number(PORT),
  metrics: { text: telemetry.text, port: Number(METRICS_PORT), host },
  onClose: close,
})
