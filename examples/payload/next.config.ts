import { withPayload } from '@payloadcms/next/withPayload'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // Not bundled: the service starts a process and reads files of its package.
  serverExternalPackages: ['@svc/auth', '@example/shop'],
}

export default withPayload(config)
