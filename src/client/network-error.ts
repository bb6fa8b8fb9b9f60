/** There was no answer, or one that is not the service's: offline, a proxy's page, a time-out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}
