/** The request failed or the answer is not from the service: offline, a proxy's page, a timeout. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}
