import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

export declare function openSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  user: User,
): void
