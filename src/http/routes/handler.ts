import type { Awaitable, PlainReply } from '../../contracts/host.ts'
import type { AdmissionCheck } from '../../core/bell/unread-stream.ts'
import type { Holder } from '../../core/second-factor/two-factor.ts'
import type { Access } from '../../rules/routes/row.ts'
import type { paths, RouteName } from '../../rules/paths.ts'
import type { AccessOf, LayerRoute, RequestBody } from '../../rules/routes.ts'
import type { Exchange } from '../exchange.ts'
import type { Refusal } from '../wire/respond.ts'

/** The names of the `{segments}` of a path. */
type ParamOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamOf<Rest>
  : never

/** The context of every handler. */
export interface GuestContext extends Readonly<
  Pick<Exchange, 'request' | 'tenant' | 'stateful' | 'presentedId' | 'attempt'>
> {
  /** Begins to check this request again. */
  readonly beginCheck: () => AdmissionCheck
}

/** The context of an access level. Behind the session gate it has the user and the session. */
type ContextFor<Level extends Access> = Level extends 'guest' ? GuestContext : GuestContext & Holder

/** The context of a route. */
export type ContextOf<Name extends RouteName> = ContextFor<AccessOf<Name>> & {
  readonly params: Readonly<Record<ParamOf<(typeof paths)[Name]['path']>, string>>
}

/** The intersection of the contexts of all routes. */
export type EveryContext = ContextFor<Access> &
  Holder & {
    readonly params: Readonly<Record<ParamOf<(typeof paths)[RouteName]['path']>, string>>
  }

/** Answers a request, with the body that the row of its route describes. */
export type Handler<Context, Body> = (
  context: Context,
  body: Body,
) => Awaitable<PlainReply | Refusal>

/** One handler for each of some routes. */
export type HandlersOf<Names extends RouteName> = {
  readonly [Name in Names]: Handler<ContextOf<Name>, RequestBody<Name>>
}

/** One handler for each route. */
export type Handlers = HandlersOf<Exclude<RouteName, LayerRoute>> & Partial<HandlersOf<LayerRoute>>
