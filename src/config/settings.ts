import type * as v from 'valibot'
import type { Tenant } from '../contracts/host.ts'
import type { configSchema } from './options-schema.ts'

/** The configuration with the defaults of the schema, and what follows from it. */
export interface Settings extends v.InferOutput<typeof configSchema> {
  /**
   * Returns `app.url` of a tenant.
   *
   * @throws {Error} The function of the host returns no origin that may carry sessions.
   */
  readonly baseUrl: (tenant: Tenant) => string
  /** True if the rules of production apply. */
  readonly production: boolean
}
