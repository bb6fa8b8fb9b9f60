import { afterEach, beforeEach } from 'vitest'
import { createAuthClient } from '../../web/client/client.ts'
import type { AuthClient } from '../../web/client/client.ts'
import { startContract } from './contract-server.ts'
import type { ContractServer } from './contract-server.ts'

/** The service of the running test. */
export let contract: ContractServer
/** The client of the running test. */
export let client: AuthClient

/** Starts a service and makes its client before each test of the file, and closes it after. */
export function makeClientBeforeEach(): void {
  beforeEach(async () => {
    contract = await startContract()
    makeClient()
  })
  afterEach(() => contract.close())
}

/** Replaces the client by one whose requests go through this `fetch`. */
export function makeClient(fetch = contract.fetch): void {
  client = createAuthClient({ baseUrl: contract.origin, fetch })
}

/** Returns the lines of the requests that have reached the service. */
export const lines = () => contract.seen.map(({ line }) => line)
