import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { Settings } from '../config/settings.ts'
import type { PagesSettings } from '../http/pages/panel-pages.ts'
import type { Layer } from '../rules/routes/row.ts'

/** Returns the settings of the pages: the options of `spa` in camel case, and what is bound. */
export function pageSettings(
  { spa, svc, auth }: Settings,
  { codeDigits, sessionDays: { remembered, trusted } }: CheckedHost,
  layers: ReadonlySet<Layer>,
): PagesSettings {
  const { off: _, pages, links, ...options } = spa
  const ownPage = layers.has('passwords') ? `/${svc.prefix}/${svc.panels[0]}/security` : null
  const { change_password: changePassword = ownPage, ...shown } = links
  const page = {
    codeDigits,
    ...camelCased({ ...options, ...shown }),
    name: spa.name,
    pagesModule: pages ?? null,
    twoFactor: layers.has('two-factor') ? 'bound' : 'absent',
    ...(layers.has('passwords') && { passwords: true }),
    ...(layers.has('sessions') && { sessions: true }),
    ...(layers.has('activity') && { activity: true }),
    ...(layers.has('confirmation') && { confirmation: true }),
    ...(remembered !== null && { rememberDays: remembered }),
    ...(trusted !== null && { trustDays: trusted }),
    linkMinutes: auth.verification.expire,
  } as const
  return { ...svc, changePassword, page }
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type CamelCased<Options> = {
  [Name in keyof Options as CamelCase<Name> & string]?: Exclude<Options[Name], undefined>
}

/** Returns the options that are given, named as in JavaScript. */
function camelCased<Options extends object>(options: Options): CamelCased<Options> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const named = given.map(([name, value]) => [
    name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  // The type has the names that the expression makes.
  return Object.fromEntries(named) as CamelCased<Options>
}
