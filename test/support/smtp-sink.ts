import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A mail, as it came. */
export interface Received {
  readonly to: readonly string[]
  readonly source: string
}

/** A mail server that keeps what it is given, until the end of the test. */
export async function smtpSink({ refuses = '' } = {}): Promise<{
  readonly url: string
  readonly received: readonly Received[]
}> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address === refuses ? new Error('Unknown') : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, source: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => new Promise<void>((resolve) => server.close(resolve)))
  return { url: smtpUrlOf(server.server.address()), received }
}

/** The address of a mail server that listens here. */
export function smtpUrlOf(address: object | string | null): string {
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('it does not listen')
  return `smtp://127.0.0.1:${String(address.port)}`
}
