import type { GenericSchema } from 'valibot'
import type { PlainReply } from '../../contracts/host.ts'
import {
  mayCarryBody,
  readInput,
  readNothing,
  readOptional,
  type Reporting,
} from '../wire/input.ts'
import type { Refusal } from '../wire/respond.ts'
import type { Done, GuestContext, Handler } from './handler.ts'

/** Reads the body of a request before its handler runs. */
export interface Bodies {
  /** Makes a handler whose request must have a body that fits the schema. */
  required<Body, Context extends GuestContext>(
    schema: GenericSchema<unknown, Body>,
    handle: (context: Context, body: Body) => Done,
  ): Handler<Context>
  /** Makes a handler whose request may have such a body; `null`: it has none. */
  optional<Body, Context extends GuestContext>(
    schema: GenericSchema<unknown, Body>,
    handle: (context: Context, body: Body | null) => Done,
  ): Handler<Context>
  /** Makes a handler that ignores the body. If one is sent, it must be well-formed JSON. */
  none<Context extends GuestContext>(handle: Handler<Context>): Handler<Context>
}

/** Creates the readers of bodies. */
export function createBodies(reporting: Reporting): Bodies {
  return {
    required: (schema, handle) => async (context) => {
      const input = await readInput(reporting, context, schema)
      return input.outcome === 'refused' ? input.refusal : handle(context, input.value)
    },
    optional: (schema, handle) => async (context) => {
      const input = await readOptional(reporting, context, schema)
      return input.outcome === 'refused' ? input.refusal : handle(context, input.value)
    },
    // Without a body there is nothing to wait for, so no promise is made:
    // docs/performance.md, "An authenticated `GET /svc/api/user`".
    none: (handle) => (context) =>
      mayCarryBody(context.request) ? skipBody(reporting, handle, context) : handle(context),
  }
}

async function skipBody<Context extends GuestContext>(
  reporting: Reporting,
  handle: Handler<Context>,
  context: Context,
): Promise<PlainReply | Refusal> {
  const refusal = await readNothing(reporting, context)
  return refusal ?? handle(context)
}
