import type { NextConfig } from 'next'

const config: NextConfig = {
  cacheComponents: true, // as new applications have it; the pages work without it, too
  // Not bundled: the service starts a process and reads files of its package.
  serverExternalPackages: ['@svc/auth', '@example/shop'],
}

export default config
