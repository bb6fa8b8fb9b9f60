import type { PanelAuthOptions } from '../contracts/options.ts'
import { when } from './describe.ts'
import type { Settings } from './settings.ts'

/** Finds lifetimes of the option `sessions` that can never work. */
export function sessionOptionComplaints<User>(
  { sessions = {}, twoFactor }: Pick<PanelAuthOptions<User>, 'sessions' | 'twoFactor'>,
  { session: { absolute } }: Settings,
): readonly (string | null)[] {
  const { devices = false, remember, trusted } = sessions
  return [
    ...(['remember', 'trusted'] as const).map((name) =>
      when(
        sessions[name] !== undefined && !devices,
        `sessions.${name}: users must see what it keeps, and end it; give \`devices: true\`, too`,
      ),
    ),
    when(
      remember !== undefined && remember.days * 24 * 60 < absolute,
      `sessions.remember.days: is ${remember?.days}, so that a remembered session would end before others (session.absolute: ${absolute} minutes); give more days`,
    ),
    when(
      trusted !== undefined && twoFactor === undefined,
      'sessions.trusted: replaces the code of a second factor, and none is bound; give twoFactor',
    ),
  ]
}
