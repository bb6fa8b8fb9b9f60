import crypto from 'node:crypto'
import { ConfigError } from '../contracts/errors.ts'

/** The oldest release of Node that is supported, as `engines` of package.json has it. */
const OLDEST_NODE = '20.19'

/**
 * Checks that Node has what the service calls. Debian 12 and Ubuntu 24.04 install Node 18.
 *
 * @throws {ConfigError} It is too old.
 */
export function ensureNode(): void {
  if ('hash' in crypto) return
  throw new ConfigError(
    `@svc/auth needs Node ${OLDEST_NODE} or newer; this is ${process.versions.node}`,
  )
}
