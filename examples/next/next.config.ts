import type { NextConfig } from 'next'

const config: NextConfig = {
  // Not bundled: the service starts a process and reads files of its package.
  serverExternalPackages: ['@svc/auth', '@example/shop'],
}

export default config
